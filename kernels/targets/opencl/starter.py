"""How the referee starts an OpenCL candidate: the confined process of `sandbox.runner`, with what PoCL needs to see."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from typing_extensions import override

from kernels.sandbox.launch import Launcher, best_launcher
from kernels.sandbox.runner import Limits, Runner, RunnerFailed, Segment
from kernels.sandbox.starter import StarterCall
from kernels.targets.opencl.harness import CACHE, RUNNER
from kernels.targets.shapes import laid_out
from kernels.values.kernel import KernelSpec

FILE_BYTES: Final = 64 << 20  # what PoCL unpacks of a program, in memory
LEVEL: Final = "bwrap+seccomp"


@dataclass(frozen=True, slots=True)
class ClLauncher(Launcher):
    """readable: paths beside the system's folders."""

    readable: tuple[str, ...] = ()

    @override
    def command(self, runner: int, library: int) -> list[str]:
        words = Launcher.command(self, runner, library)
        at = words.index("--")
        seen = [word for path in self.readable for word in ("--ro-bind", path, path)]
        return [*words[:at], *seen, "--tmpfs", CACHE[RUNNER], *words[at:]]


@dataclass(frozen=True, slots=True)
class ClStarter:
    """binary: the runner's."""

    binary: str
    readable: Sequence[str]
    calls: tuple[int, int] = (3, 64)
    clock: str = "the events of OpenCL"

    def health(self) -> str:
        """The empty kernel and the probes tell."""
        return ""

    def start(
        self, artefact: Path, spec: KernelSpec, segments: Sequence[Segment], threads: int, limits: Limits,
        *, profile: bool,
    ) -> Runner:  # fmt: skip
        """Raises: RunnerFailed."""
        best = best_launcher()
        if best.level != LEVEL:
            raise RunnerFailed("setup", f"OpenCL candidates run at level {LEVEL} only; here it is {best.level}")
        launcher = ClLauncher(best.level, best.tool, best.as_nobody, tuple(self.readable))
        more = replace(limits, file_size=max(limits.file_size, FILE_BYTES))
        with laid_out(artefact, spec) as file:
            return Runner.start(Path(self.binary), file, segments, threads, more, profile=profile, launcher=launcher)


def starter(binary: Path, readable: Sequence[Path]) -> StarterCall:
    words = {"binary": str(binary), "readable": [str(path) for path in readable]}
    return StarterCall(f"{__name__}:{ClStarter.__name__}", words)
