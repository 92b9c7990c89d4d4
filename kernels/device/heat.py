"""One race of variants against each other and the head: blocks of readings, and the check of a secret sample of them.

All of a block get new processes and the same fresh inputs, each in an order of its own. A variant that fails or is
caught drops out and the others go on; a head that fails ends the race.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kernels.device.calls import Misconduct
from kernels.device.contender import Contender, seat
from kernels.device.evidence import Evidence, Fault
from kernels.device.failures import named
from kernels.device.gauge import Gauge
from kernels.device.redo import mode_changed
from kernels.device.report import HeadFailed, RaceReport
from kernels.device.station import Station
from kernels.device.stretch import Stretch
from kernels.sandbox.runner import RunnerFailed
from kernels.values.reading import Block, Reading

VOID: Final = Reading(math.nan, 0, math.nan, math.nan)


@dataclass(slots=True)
class Heat:
    """State of one running race on one device. variants: those that are loaded, by key."""

    station: Station
    gauge: Gauge
    head: Contender
    variants: dict[str, Contender]
    fifo: bool
    blocks: int = 0
    evidence: Evidence = field(init=False)

    def __post_init__(self) -> None:
        self.evidence = Evidence(self.station)

    def block(self, order: Sequence[str], head_ns: float) -> Block:
        """One atomic block: the head and these variants, in this order; those that dropped out before are skipped.

        Raises: HeadFailed, DeviceUnhealthy, ValueError for `head_ns`, KeyError for a key that is not in the race.
        """
        self.station.stir()
        running = {key: self._of(key) for key in order if key not in self.evidence.caught}
        self._start(running)
        stretch = Stretch.begin(self.station, self.gauge, running.values(), head_ns, fifo=self.fifo)
        readings = {key: self._reading(one, stretch) for key, one in running.items() if one.running}
        stretch.end()
        self.blocks += 1
        return self._result(readings, stretch)

    def leave(self, key: str) -> None:
        """The variant is unloaded: its calls stay in the sample."""
        self.variants.pop(key, None)

    def end(self) -> RaceReport:
        """Verify the secret sample, the last call of each included. Raises: HeadFailed."""
        wrong = self.evidence.wrong()
        if self.head.key in wrong:
            raise HeadFailed(*wrong[self.head.key])
        for key, (kind, reason) in wrong.items():
            self.evidence.note(key, kind, reason)
        findings = tuple(sorted(self.evidence.findings))
        return RaceReport(dict(self.evidence.caught), self.blocks, self.evidence.verified, findings)

    def _of(self, key: str) -> Contender:
        return self.head if key == self.head.key else self.variants[key]

    def _start(self, running: Mapping[str, Contender]) -> None:
        seat(tuple(running.values()))
        for one in running.values():
            try:
                _ = one.runner
            except RunnerFailed as failure:
                self._failed(one, *named(failure, self.station.layout))

    def _reading(self, one: Contender, stretch: Stretch) -> Reading:
        """Not a number when the variant failed, was caught, or was too fast to be true."""
        try:
            taken = stretch.take(one)
        except Misconduct as misconduct:
            return self._failed(one, misconduct.kind, misconduct.reason)
        except RunnerFailed as failure:
            return self._failed(one, *named(one.failed(failure), self.station.layout))
        self.evidence.keep(one.key, taken)
        why = "" if taken.clocks else stretch.unbelievable(taken.reading.ns)
        if why and one is not self.head:
            self._failed(one, "below_floor", why)
        return replace(taken.reading, ns=math.nan) if why or taken.clocks else taken.reading

    def _failed(self, one: Contender, kind: str, reason: str) -> Reading:
        if one is self.head:
            raise HeadFailed(kind, reason)
        self.evidence.note(one.key, kind, reason)
        one.stop()
        return VOID

    def _result(self, readings: dict[str, Reading], stretch: Stretch) -> Block:
        dropped: dict[str, Fault] = dict(self.evidence.caught)
        void = "; ".join(f"{key[:8]}: {dropped[key][0]}" for key in readings if key in dropped)
        level = self.head.runner.level if self.head.running else ""
        return Block(
            readings, dropped, stretch.before, stretch.after, stretch.mode,
            mode_changed(stretch.before, stretch.after) if self.gauge.probes else "", stretch.facts(void, level),
        )  # fmt: skip
