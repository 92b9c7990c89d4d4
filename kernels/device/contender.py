"""One candidate on this device: its artefact, its sandboxed runner, and the memory of its calls.

The runner starts when it is first needed. A runner that failed is gone; the next use starts another one. `seat` gives
all of a pair or block new ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kernels.device.bench import Bench
from kernels.device.report import DeviceUnhealthy
from kernels.sandbox.runner import Limits, RunnerFailed
from kernels.sandbox.starter import DeviceTimed, RunnerLike, Starter
from kernels.values.kernel import KernelSpec, ThreadContract


@dataclass(frozen=True, slots=True)
class Launch:
    """How runners are started on this device. profile: with memory for the marks of a profiled build."""

    starter: Starter
    threads: int
    limits: Limits
    profile: bool = False

    def under(self, contract: ThreadContract) -> "Launch":
        """openmp: it may start threads of its own, as many as the pool would have; none: there is one thread."""
        if contract == "openmp":
            return replace(self, limits=replace(self.limits, own_threads=True))
        return replace(self, threads=1) if contract == "none" else self


class Contender:
    """weights_fd: the ring, open for reading only. usual_ns: of a call, as last read; 0 while nobody has said it."""

    def __init__(
        self, key: str, spec: KernelSpec, artefact: Path, bench: Bench, weights_fd: int, launch: Launch
    ) -> None:
        self.key = key
        self.spec = spec
        self.artefact = artefact
        self.bench = bench
        self._weights_fd = weights_fd
        self._launch = launch
        self._runner: RunnerLike | None = None
        self.usual_ns = 0.0

    @property
    def runner(self) -> RunnerLike:
        """Raises: RunnerFailed when the candidate cannot be loaded, DeviceUnhealthy when no runner can be set up."""
        if self._runner is None:
            self._runner = self._start()
        return self._runner

    def _start(self) -> RunnerLike:
        launch, bench = self._launch, self.bench
        segments = bench.layout.segments(self._weights_fd, bench.inputs.reader_fd, bench.outputs.fd)
        try:
            return launch.starter.start(
                self.artefact, self.spec, segments, launch.threads, launch.limits, profile=launch.profile
            )
        except RunnerFailed as failure:
            if failure.kind == "setup":
                raise DeviceUnhealthy(f"no runner for {self.key}: {failure.detail}") from failure
            raise

    @property
    def threads(self) -> int:
        """That leave marks: those of the pool; threads that a kernel brings itself do not."""
        return 1 if self._launch.limits.own_threads else self._launch.threads

    @property
    def clock(self) -> str:
        """Name of the device's own clock, whose time its calls report; "" when there is none."""
        starter = self._launch.starter
        return starter.clock if isinstance(starter, DeviceTimed) else ""

    @property
    def running(self) -> bool:
        return self._runner is not None

    def most_threads(self, before: int) -> int:
        """After its calls, when there were so many before: the contract may let it keep threads, asleep."""
        return max(before, self._launch.threads) if self._launch.limits.own_threads else before

    def stop(self) -> None:
        """Kill the runner; the next use starts another one."""
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.close()

    def failed(self, failure: RunnerFailed) -> RunnerFailed:
        """Put a runner that failed away and hand the failure on."""
        self.stop()
        return failure

    def close(self) -> None:
        self.stop()
        self.bench.close()


def seat(order: Sequence[Contender]) -> None:
    """End the processes of all, and deal their memories out in this order, the oldest first.

    Two processes of the same code can differ by per cents for as long as they live, and so can two memories (physical
    pages, above all). A process that lasts for a whole test would turn that luck into a verdict. New processes for each
    pair or block and memory that goes by the order, which is drawn, make it noise that is as often for as against.
    """
    every = tuple(dict.fromkeys(order))
    memories = sorted((one.bench for one in every), key=lambda bench: bench.outputs.fd)
    for one, bench in zip(every, memories, strict=True):
        one.stop()
        one.bench = bench
