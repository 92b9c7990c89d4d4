"""One test of a candidate against the head: pairs of readings, and the check of a secret sample of the timed calls.

Both sides of a pair get new processes and the same fresh inputs, in different orders, on the same slots. What was kept
of the timed calls is verified at the end of the test in one matrix product.
"""

import math
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from kernels.device.arming import Armed, TooBusy, works_early
from kernels.device.calls import Misconduct
from kernels.device.contender import Contender, seat
from kernels.device.evenness import Gains, gains, uneven
from kernels.device.evidence import Evidence, Fault
from kernels.device.failures import named
from kernels.device.gauge import Gauge
from kernels.device.reading import Taken
from kernels.device.redo import Redo
from kernels.device.report import CheckReport, DeviceUnhealthy, HeadFailed
from kernels.device.station import Station
from kernels.device.stretch import Stretch
from kernels.sandbox.runner import RunnerFailed
from kernels.values.reading import First, Pair, Reading

Side = Literal["head", "candidate"]
VOID: Final = Reading(math.nan, 0, math.nan, math.nan)


@dataclass(slots=True)
class Trial:
    """State of one running test on one device. alone: of its only shape; else whether a pair is taken again is decided
    for all shapes together, but for clocks that disagree."""

    station: Station
    gauge: Gauge
    head: Contender
    candidate: Contender
    fifo: bool
    alone: bool = True
    pairs: int = 0
    gains: list[Gains] = field(default_factory=list)
    armed: list[Armed] = field(default_factory=list)
    evidence: Evidence = field(init=False)
    redo: Redo = field(init=False)

    def __post_init__(self) -> None:
        self.evidence = Evidence(self.station)
        self.redo = Redo(bool(self.gauge.probes))

    def pair(self, first: First, head_ns: float) -> Pair:
        """One atomic pair, with probes before and after it.

        Raises: RunnerFailed for the candidate, HeadFailed for the head, DeviceUnhealthy for anything else that fails,
        ValueError for `head_ns`.
        """
        order: tuple[Side, Side] = ("head", "candidate") if first == "head" else ("candidate", "head")
        self.station.stir()
        self._start(order)
        stretch = Stretch.begin(self.station, self.gauge, (self.head, self.candidate), head_ns, fifo=self.fifo)
        taken = {side: self._taken(side, stretch) for side in order}
        stretch.end()
        self.pairs += 1
        self._weigh(taken["head"], taken["candidate"])
        return self._result(taken, first, stretch)

    def _start(self, order: tuple[Side, Side]) -> None:
        """A new process for each side, in the order of the readings.

        Raises: RunnerFailed for the candidate, HeadFailed for the head.
        """
        seat([self._of(side) for side in order])
        for side in order:
            with self._blaming(side):
                _ = self._of(side).runner

    def _of(self, side: Side) -> Contender:
        return self.head if side == "head" else self.candidate

    @contextmanager
    def _blaming(self, side: Side) -> Generator[None]:
        """Raises: HeadFailed for a RunnerFailed or Misconduct of the head."""
        try:
            yield
        except RunnerFailed as failure:
            if self._blames_head(side):
                raise HeadFailed(*named(failure, self.station.layout)) from failure
            raise
        except Misconduct as misconduct:
            if self._blames_head(side):
                raise HeadFailed(misconduct.kind, misconduct.reason) from misconduct
            raise

    def _taken(self, side: Side, stretch: Stretch) -> Taken | None:
        """None when the reading is void because the candidate misbehaved."""
        try:
            with self._blaming(side):
                taken = stretch.take(self._of(side))
        except Misconduct as misconduct:
            self._note(misconduct.kind, misconduct.reason)
            return None
        self.evidence.keep(side, taken)
        return taken

    def _weigh(self, head: Taken | None, candidate: Taken | None) -> None:
        if head is not None and candidate is not None:
            found = gains((head.reading.ns, head.mean_ns), (candidate.reading.ns, candidate.mean_ns))
            self.gains += [] if found is None else [found]
            self.armed.append(Armed(head.armed_ns, candidate.armed_ns))

    def _blames_head(self, side: str) -> bool:
        """A head that is tested against itself answers as a candidate."""
        return side == "head" and self.head is not self.candidate

    def _note(self, kind: str, reason: str) -> None:
        self.evidence.note("candidate", kind, reason)

    def _reading(self, side: Side, taken: Taken | None, stretch: Stretch) -> tuple[Reading, str]:
        """The reading, and why it is in quarantine; such a reading is not a number."""
        if taken is None:
            return VOID, f"{side}: {self.evidence.caught.get('candidate')}"
        if taken.clocks:
            return replace(taken.reading, ns=math.nan), f"{side}: clocks: {taken.clocks}"
        why = stretch.unbelievable(taken.reading.ns)
        if not why:
            return taken.reading, ""
        if side == "candidate":
            self._note("below_floor", why)
        return replace(taken.reading, ns=math.nan), f"{side}: below_floor: {why}"

    def _result(self, taken: Mapping[Side, Taken | None], first: First, stretch: Stretch) -> Pair:
        head, head_why = self._reading("head", taken["head"], stretch)
        candidate, candidate_why = self._reading("candidate", taken["candidate"], stretch)
        facts = stretch.facts(
            quarantine="; ".join(why for why in (head_why, candidate_why) if why),
            level=self.candidate.runner.level if self.candidate.running else "",
        )
        pair = Pair(head, candidate, first, stretch.before, stretch.after, stretch.mode, "", facts)
        return replace(pair, redo_reason=_clocks(taken) or (self.redo.reason(pair) if self.alone else ""))

    def end(self) -> CheckReport:
        """Verify the secret sample of both sides, the candidate's last call included.

        The fact "side" says whose fault it is. A wrong head takes precedence: such a test binds no candidate.
        Raises: DeviceUnhealthy when nothing else is wrong and the machine is too busy to tell who works before a call.
        """
        start = self.station.oracle.seconds
        head = self._verify()
        if head is None and "candidate" not in self.evidence.caught:
            self._suspect()
        facts: dict[str, Any] = {"pairs": self.pairs, "timed_calls_verified": self.evidence.verified}
        kind, reason = head or self.evidence.caught.get("candidate") or ("", "")
        if kind:
            facts["side"] = "head" if head else "candidate"
        seconds = self.station.oracle.seconds - start
        return CheckReport(not kind, kind, reason, facts, tuple(sorted(self.evidence.findings)), seconds)

    def _suspect(self) -> None:
        """Raises: DeviceUnhealthy when the machine is too busy to tell."""
        try:
            found = suspicion(self.gains, self.armed)
        except TooBusy as noise:
            raise DeviceUnhealthy(str(noise)) from noise
        if found is not None:
            self._note(*found)

    def _verify(self) -> Fault | None:
        """The head's first wrong call; the candidate's is noted."""
        wrong = self.evidence.wrong()
        for side, found in wrong.items():
            if not self._blames_head(side):
                self._note(*found)
        return wrong.get("head") if self._blames_head("head") else None


def suspicion(gained: Sequence[Gains], armed: Sequence[Armed]) -> Fault | None:
    """What the times of the pairs say against the candidate, certain things first. Raises: TooBusy."""
    if why := uneven(gained):
        return "uneven", why
    why = works_early(armed)
    return ("protocol", why) if why else None


def _clocks(taken: Mapping[Side, Taken | None]) -> str:
    """Why the pair should be taken again, whichever side it is."""
    wrong = [f"{side}: {one.clocks}" for side, one in taken.items() if one is not None and one.clocks]
    return f"the clocks disagree: {'; '.join(wrong)}" if wrong else ""
