"""One kernel on this device: its ring of weights, its reference, its epoch, and the contenders that run on it.

The ring and the epoch are built when they are first needed. One more slot than the ring has lies behind it, for the
epoch with uniform codes that a promotion needs; its memory is given back afterwards.
"""

import mmap
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from kernels.device.arena import Arena, Block, memory_available, pages_of
from kernels.device.bench import Bench, Stored
from kernels.device.contender import Contender, Launch
from kernels.device.epoch import Base, Epoch, secret_rng
from kernels.device.expected import Oracle
from kernels.device.layout import Layout
from kernels.device.reading import calls_for
from kernels.device.report import DeviceUnhealthy
from kernels.device.strict import Answerer
from kernels.packs.loader import has_uniform_codes
from kernels.packs.reference import load_reference
from kernels.sandbox.starter import Telling
from kernels.values.kernel import KernelSpec

SPARE_BYTES: Final = 1 << 30  # left free for compilers and runners


class Station:
    """Raises on construction: PackError when the reference does not load.

    strict: the artefact of a baseline that is its own reference.
    """

    def __init__(
        self, arena: Arena, spec: KernelSpec, epoch_s: float, launch: Launch, strict: Path | None = None
    ) -> None:
        self.spec = spec
        self._strict = Answerer(arena, spec, strict, launch) if strict is not None else None
        self.oracle = Oracle(load_reference(spec, self._strict))
        self.slots = spec.ring_slots
        self.layout = Layout(spec, self.slots + 1)
        self.rng = secret_rng()
        self.epochs_built = 0
        self._arena = arena
        self._epoch_s = epoch_s
        self._launch = launch
        self._weights: Block | None = None
        self._epoch: Epoch | None = None
        self._trusted: Bench | None = None
        self._pages = ""
        self._backgrounds: dict[str, np.ndarray[Any, Any]] = {}

    @property
    def weights(self) -> Block:
        """The mapped ring. Raises: DeviceUnhealthy when there is no memory for it."""
        if self._weights is None:
            self._require(self.layout.weights_size)
            self._weights = self._arena.allocate(f"{self.spec.name}-weights", self.layout.weights_size)
        return self._weights

    def calls_for(self, head_ns: float) -> int:
        """Timed calls of a reading here. Raises: ValueError for a time that is none."""
        return calls_for(head_ns, self._launch.starter.calls)

    @property
    def told(self) -> dict[str, str]:
        """What whoever starts the runners says of the calls since it was last asked."""
        starter = self._launch.starter
        return starter.facts() if isinstance(starter, Telling) else {}

    @property
    def pages(self) -> str:
        """ "huge" or "4k": the pages that the ring got."""
        if self._pages != "huge":
            self._pages = pages_of(self.weights)
        return self._pages

    def _require(self, more: int) -> None:
        free = memory_available() - SPARE_BYTES
        if more > free:
            raise DeviceUnhealthy(
                f"kernel {self.spec.name} needs {more >> 20} MiB more, {max(free, 0) >> 20} MiB can be had"
            )

    @property
    def epoch(self) -> Epoch:
        """The present epoch; it does not end while it is in use, only in `turn`."""
        if self._epoch is None:
            self._require(self.layout.weights_size)
            self._epoch = Epoch(self.layout, self.weights.bytes, 0, self.slots)
            self.epochs_built += 1
        return self._epoch

    def turn(self) -> None:
        """Begin a new epoch when the present one is older than its time. Called between evaluations and pairs."""
        if self._epoch is not None and self._epoch.age() > self._epoch_s:
            self._epoch = None
            self._backgrounds = {}

    def stir(self) -> None:
        """Before a pair or block: a new epoch when it is time, and two rows swapped in every slot."""
        self.turn()
        for slot in range(self.slots):
            self.epoch.disturb(slot)

    @property
    def decoded_bytes(self) -> int:
        """Memory that the decoded base of an epoch takes."""
        return Base.decoded_bytes(self.spec)

    def room(self) -> int:
        """Bytes still needed to decode the present base; 0 when it is decoded."""
        return 0 if self._epoch is not None and self._epoch.base.decoded else self.decoded_bytes

    def forget(self) -> None:
        """Give the decoded base back; it is decoded again when it is next needed."""
        if self._epoch is not None:
            self._epoch.base.forget()

    @contextmanager
    def uniform(self) -> Generator[Epoch | None]:
        """One slot of uniform codes for a promotion; None when the pack declares none."""
        if not has_uniform_codes(self.spec):
            yield None
            return
        self._require(2 * self.layout.stride + self.decoded_bytes)
        yield Epoch(self.layout, self.weights.bytes, self.slots, 1, "uniform_codes")
        start = self.slots * self.layout.stride
        if start % mmap.PAGESIZE == 0:
            self.weights.mapping.madvise(mmap.MADV_REMOVE, start, self.layout.stride)

    def activations(self, regime: str) -> Stored:
        """Fresh secret inputs of one call. Large `rows_only` arrays stay the same during an epoch: the kernel's answer
        does not depend on them, and rewriting megabytes before each call would cost more than the call."""
        drawn = self.oracle.reference.inputs(self.rng, regime)
        for name, tolerance in self.spec.tolerances.items():
            if tolerance.rows_only and name in drawn:
                drawn[name] = self._backgrounds.setdefault(name, drawn[name])
        return drawn

    def lap(self) -> Sequence[int]:
        """A secret order of all slots; following it round and round never repeats a slot early."""
        return [int(slot) for slot in self.rng.permutation(self.slots)]

    def path(self, count: int) -> list[int]:
        """Slots for the calls of a reading. Each is drawn from those that were not used for most of a lap, so that what
        comes next cannot be fetched ahead."""
        rest = max(1, min(self.slots - 1, max(2, self.slots * 5 // 8)))
        path: list[int] = []
        while len(path) < count:
            recent = path[-rest:] if self.slots > 1 else []
            free = [slot for slot in range(self.slots) if slot not in recent]
            path.append(free[int(self.rng.integers(len(free)))])
        return path

    def close(self) -> None:
        if self._strict is not None:
            self._strict.close()

    def contender(self, key: str, artefact: Path, *, trusted: bool = False, profile: bool = False) -> Contender:
        """A contender with input and output memory of its own: it can see no other contender's answers. Trusted ones,
        whose outputs do not matter, share theirs. profile: a build with marks, which its runner keeps."""
        if trusted and self._trusted is None:
            self._trusted = Bench(self._arena, self.layout)
        bench = self._trusted if trusted and self._trusted is not None else Bench(self._arena, self.layout)
        launch = self._launch if trusted else self._launch.under(self.spec.threads)
        launch = replace(launch, profile=profile)
        return Contender(key, self.spec, artefact, bench, self.weights.reader_fd, launch)
