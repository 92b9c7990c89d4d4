"""One candidate on this device: its artefact, its sandboxed runner, and the memory of its calls.

The runner starts when it is first needed and is the same process for checks and for readings. A runner that failed is
gone; the next use starts another one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kernels.device.bench import Bench
from kernels.device.report import DeviceUnhealthy
from kernels.sandbox.runner import Limits, Runner, RunnerFailed, Segment
from kernels.values.kernel import KernelSpec


@dataclass(frozen=True, slots=True)
class Launch:
    """How runners are started on this device."""

    binary: Path
    threads: int
    limits: Limits


class Contender:
    def __init__(
        self,
        key: str,
        spec: KernelSpec,
        artefact: Path,
        bench: Bench,
        segments: Sequence[Segment],
        launch: Launch,
    ) -> None:
        self.key = key
        self.spec = spec
        self.artefact = artefact
        self.bench = bench
        self._segments = segments
        self._launch = launch
        self._runner: Runner | None = None

    @property
    def runner(self) -> Runner:
        """Raises: RunnerFailed when the candidate cannot be loaded, DeviceUnhealthy when no runner can be set up."""
        if self._runner is None:
            self._runner = self._start()
        return self._runner

    def _start(self) -> Runner:
        launch = self._launch
        try:
            return Runner.start(launch.binary, self.artefact, self._segments, launch.threads, launch.limits)
        except RunnerFailed as failure:
            if failure.kind == "setup":
                raise DeviceUnhealthy(f"no runner for {self.key}: {failure.detail}") from failure
            raise

    @property
    def running(self) -> bool:
        return self._runner is not None

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
