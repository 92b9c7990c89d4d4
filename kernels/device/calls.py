"""One call: prepare, arm, call, capture, and what can be seen of misconduct right there.

Every call goes this way, in checks as in readings, so that a candidate cannot tell them apart.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from kernels.device.bench import POISONS, Placement, Stored
from kernels.device.contender import Contender
from kernels.device.epoch import Epoch
from kernels.device.expected import Done
from kernels.device.layout import INSTANCES
from kernels.device.report import DeviceUnhealthy
from kernels.sandbox.runner import Call, RunnerFailed

ARM_S: Final = 2.0
LOOKS: Final = 0.15  # of the calls, drawn at random: does the runner wait where the harness waits


def _nothing() -> None:
    """Has nothing to do."""


class Misconduct(Exception):
    """Something a kernel must not do, seen by the referee. kind: one of `report.CHECK_KINDS`."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind = kind
        self.reason = reason


@dataclass(slots=True)
class Caller:
    """Makes the calls of one contender in one evaluation. armed_ns: how long it took to get ready for each;
    spent_ns: how long each took with all that is around it."""

    contender: Contender
    rng: np.random.Generator
    timeout_s: float
    findings: set[str] = field(default_factory=set)
    armed_ns: list[int] = field(default_factory=list)
    spent_ns: list[int] = field(default_factory=list)
    _instance: int = 0

    def place(self, slot: int) -> Placement:
        """A placement whose outputs are not those of the last call, with random inputs and poison."""
        self._instance = (self._instance + 1 + int(self.rng.integers(INSTANCES - 1))) % INSTANCES
        return Placement(slot, int(self.rng.integers(INSTANCES)), self._instance, int(self.rng.integers(POISONS)))

    def call(self, epoch: Epoch, place: Placement, values: Stored, label: str = "") -> Done:
        """Raises: RunnerFailed, Misconduct."""
        bench, started = self.contender.bench, time.monotonic_ns()
        self.final(place.instance_out)
        bench.poison(place)
        seen: list[bytes] = []
        answer = self._invoke(
            place,
            feed=lambda: bench.feed(place, values),
            at_return=lambda: seen.extend(bench.glimpse(place.instance_out)),
        )
        captured = bench.capture(place, values)
        if seen != bench.glimpse(place.instance_out):
            raise Misconduct("late_output", "an output was not what it is yet when the call returned")
        overrun = bench.overrun(place.instance_out)
        if overrun:
            raise Misconduct("out_of_bounds", overrun)
        if answer.fp_mode_changed:
            raise Misconduct("changed_fp_mode", "the floating-point mode after the call was not that before it")
        self.spent_ns.append(time.monotonic_ns() - started)
        before = {a.name: bench.before(place, a, values) for a in bench.spec.arguments if a.writable}
        state = epoch.state(place.slot)
        return Done(place, state, values, before, captured, answer.elapsed_ns, answer.own_ns, label)

    def bare(self, place: Placement) -> Call:
        """Arm and call without touching the memory of the call.

        Raises: RunnerFailed, DeviceUnhealthy when it is not the kernel that failed.
        """
        return self._invoke(place, feed=_nothing, at_return=_nothing)

    def _invoke(self, place: Placement, *, feed: Callable[[], None], at_return: Callable[[], None]) -> Call:
        """feed: what is done between the two messages; at_return: right after the clock reading."""
        runner = self.contender.runner
        pointers = self.contender.bench.layout.pointers(place.slot, place.instance_in, place.instance_out)
        try:
            self.armed_ns.append(runner.arm(ARM_S))
            feed()
            return runner.call(pointers, self.timeout_s, at_return, look=bool(self.rng.random() < LOOKS))
        except RunnerFailed as failure:
            self.contender.failed(failure)
            if failure.kind == "setup":
                raise DeviceUnhealthy(failure.detail) from failure
            raise

    def final(self, instance: int) -> None:
        """Raises: Misconduct when outputs of this instance changed after they were captured."""
        name = self.contender.bench.late(instance)
        if name:
            raise Misconduct("late_output", f"output {name} changed after the call had returned")

    def finish(self) -> None:
        """All outputs that are still there must be what they were at return.

        Raises: Misconduct.
        """
        for instance in range(INSTANCES):
            self.final(instance)
