"""A reference without numpy: the baseline at -O0, called in a confined process and memory of its own.

The source is foreign, so that it is never loaded into the referee; what it answers is copied out of its memory like a
candidate's outputs. Each call gets poison of its own, so that what the baseline leaves unwritten can never agree.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.device.arena import Arena
from kernels.device.bench import POISONS, Bench, Placement, Stored
from kernels.device.contender import Contender, Launch
from kernels.device.epoch import secret_rng
from kernels.device.layout import INSTANCES, Layout
from kernels.device.trusted import build_reference
from kernels.packs.reference import Calls, Reference, load_reference
from kernels.packs.toml import PackError
from kernels.sandbox.runner import Limits, RunnerFailed
from kernels.targets.base import Target, starter_of
from kernels.values.formats import decode
from kernels.values.kernel import KernelSpec

TIMEOUT_S: Final = 60.0
ARM_S: Final = 2.0
Outputs = dict[str, NDArray[Any]]


class Answerer:
    """What one artefact answers; a `Reference` calls it with a batch of calls. what: names it in errors."""

    def __init__(
        self, arena: Arena, spec: KernelSpec, artefact: Path, launch: Launch, what: str = "its baseline at -O0"
    ) -> None:
        self._spec = spec
        self._asked = f"reference of {spec.name}, {what}"
        self._layout = Layout(spec, 1)
        self._weights = arena.allocate(f"{spec.name}-strict", self._layout.weights_size)
        bench = Bench(arena, self._layout)
        self._contender = Contender("reference", spec, artefact, bench, self._weights.reader_fd, launch)
        self._rng = secret_rng()
        self._poison = 0

    def __call__(self, calls: Mapping[str, Any]) -> Outputs:
        """Expected outputs by name, with a leading axis of calls. Raises: PackError when the baseline fails."""
        stored = calls.stored if isinstance(calls, Calls) else ()
        answers = [self.outputs(one) for one in stored]
        return {name: np.stack([answer[name] for answer in answers]) for name in self._written}

    @property
    def _written(self) -> list[str]:
        return [a.name for a in self._spec.arguments if a.writable]

    def outputs(self, values: Stored) -> Outputs:
        """Decoded outputs of one call. values: stored arrays of weights, inputs and inouts. Raises: PackError."""
        for argument in self._spec.weights:
            span = self._layout.weight(0, argument.name)
            self._weights.bytes[span.offset : span.end] = np.frombuffer(values[argument.name].tobytes(), dtype=np.uint8)
        draw = self._rng.integers
        self._poison = (self._poison + 1 + int(draw(POISONS - 1))) % POISONS
        place = Placement(0, int(draw(INSTANCES)), int(draw(INSTANCES)), self._poison)
        bench = self._contender.bench
        bench.prepare(place, values)
        self._call(place)
        return {a.name: _wide(bench.output(place.instance_out, a), a.dtype) for a in self._spec.arguments if a.writable}

    def _call(self, place: Placement) -> None:
        pointers = self._layout.pointers(place.slot, place.instance_in, place.instance_out)
        try:
            runner = self._contender.runner
            runner.arm(ARM_S)
            runner.call(pointers, TIMEOUT_S)
        except RunnerFailed as failure:
            self._contender.failed(failure)
            raise PackError(
                self._asked, f"{failure.kind}: {failure.detail}", "Correct the C source or its shapes"
            ) from failure

    def close(self) -> None:
        self._contender.close()
        self._weights.close()


@contextmanager
def answering(target: Target, spec: KernelSpec, artefact: Path, folder: Path, what: str) -> Generator[Answerer]:
    """An artefact outside of a referee; `folder` is for its memory. Raises: DeviceUnhealthy, TargetError."""
    arena = Arena(folder)
    launch = Launch(starter_of(target).make(), target.machine.threads, Limits())
    answerer = Answerer(arena, spec, artefact, launch, what)
    try:
        yield answerer
    finally:
        answerer.close()
        arena.close()


@contextmanager
def reference_outside(target: Target, spec: KernelSpec, folder: Path) -> Generator[Reference]:
    """The reference of a kernel outside of a referee; `folder` is for what is built.

    Raises: PackError, DeviceUnhealthy, TargetError.
    """
    artefact = build_reference(target, spec, folder)
    if artefact is None:
        yield load_reference(spec)
        return
    with answering(target, spec, artefact, folder / "arena", "its baseline at -O0") as answerer:
        yield load_reference(spec, answerer)


def _wide(stored: NDArray[Any], dtype: str) -> NDArray[Any]:
    """A copy: int64 for 64-bit integers, else float64, which holds the values of all other formats."""
    return decode(stored.copy(), dtype).astype(np.int64 if dtype in ("i64", "u64") else np.float64)
