"""How the referee starts a CUDA candidate: the confined process of `sandbox.runner`, with what the driver needs to see.

A call is three messages: inputs to the GPU and the last call's data out of its cache, the launches, outputs back. The
second alone is timed, by our clock; CUDA's events time it beside that, and the two have to agree.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from typing_extensions import override

from kernels.sandbox import wire
from kernels.sandbox.launch import Launcher, best_launcher
from kernels.sandbox.runner import Call, Limits, Runner, RunnerFailed, Segment
from kernels.sandbox.starter import StarterCall
from kernels.targets.cuda import gpu
from kernels.targets.shapes import laid_out
from kernels.values.kernel import KernelSpec

ADDRESS_SPACE: Final = 1 << 50
"""Bytes; the driver reserves address space for all memory of host and GPUs together."""
COPY_S: Final = 10.0
LEVEL: Final = "bwrap+seccomp"
SUSPECT: Final = frozenset({"crash", "hang"})


class CudaRunner(Runner):
    """Its call is `KW_STAGE`, `KW_CALL`, `KW_FETCH`; fault: called when the device may have been harmed."""

    fault: Callable[[], None] | None = None

    @override
    def call(
        self, pointers: Sequence[tuple[int, int]], timeout_s: float, at_return: Callable[[], None] | None = None,
        *, look: bool = False,
    ) -> Call:  # fmt: skip
        words = [segment << 56 | offset for segment, offset in pointers]
        try:
            self._exchange(wire.Op.STAGE, words, COPY_S)
            timed = self._exchange(wire.Op.CALL, words, timeout_s)
            self._exchange(wire.Op.FETCH, words, COPY_S, lambda: self._returned(at_return, look))
        except RunnerFailed as failure:
            if failure.kind in SUSPECT and self.fault is not None:
                self.fault()
            raise
        return timed


@dataclass(frozen=True, slots=True)
class CudaLauncher(Launcher):
    """readable: paths beside the system's folders; devices: files of the driver; environment: variables of its own."""

    readable: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()

    @override
    def command(self, runner: int, library: int) -> list[str]:
        """CUDA names its threads in /proc, which needs a proc of the process's own."""
        words = Launcher.command(self, runner, library)
        at = words.index("--")
        shown = [word for path in self.readable for word in ("--ro-bind", path, path)]
        opened = [word for path in self.devices for word in ("--dev-bind", path, path)]
        chosen = [word for name, value in self.environment for word in ("--setenv", name, value)]
        return [*words[:at], "--proc", "/proc", "--dev", "/dev", *opened, *shown, *chosen, *words[at:]]


@dataclass(slots=True)
class CudaStarter:
    """binary: the runner's; describe: what asks the GPU. After a fault the GPU is looked at before anything starts."""

    binary: str
    describe: str
    readable: Sequence[str]
    devices: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    calls: tuple[int, int] = (3, 64)
    clock: str = "the events of CUDA"
    _suspect: bool = field(default=False, init=False)

    def health(self) -> str:
        self._suspect = False
        return gpu.health(Path(self.describe))

    def start(
        self, artefact: Path, spec: KernelSpec, segments: Sequence[Segment], threads: int, limits: Limits,
        *, profile: bool,
    ) -> Runner:  # fmt: skip
        """Raises: RunnerFailed."""
        best = best_launcher()
        if best.level != LEVEL:
            raise RunnerFailed("setup", f"CUDA candidates run at level {LEVEL} only; here it is {best.level}")
        if self._suspect and (why := self.health()):
            raise RunnerFailed("setup", why)
        launcher = CudaLauncher(
            best.level, best.tool, best.as_nobody, tuple(self.readable), tuple(self.devices),
            tuple(self.environment.items()),
        )  # fmt: skip
        more = replace(limits, address_space=ADDRESS_SPACE, start_s=max(limits.start_s, 60.0))
        with laid_out(artefact, spec) as file:
            binary = Path(self.binary)
            runner = CudaRunner.start(binary, file, segments, 1, more, profile=profile, launcher=launcher)
        runner.fault = self._faulted
        return runner

    def _faulted(self) -> None:
        self._suspect = True


def starter(binary: Path, describe: Path) -> StarterCall:
    words = {
        "binary": str(binary), "describe": str(describe), "readable": list(gpu.seen()),
        "devices": [str(path) for path in gpu.nodes()], "environment": gpu.environment(),
    }  # fmt: skip
    return StarterCall(f"{__name__}:{CudaStarter.__name__}", words)
