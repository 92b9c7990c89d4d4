"""What a screen or a command gets of the device's noise and of what waits for it. Units as in `store.views`."""

from dataclasses import dataclass, field
from typing import Any

from kernels.judge.placebo import BIAS_ALARM, KNOWN_FROM
from kernels.profiling.agreement import Agreement


@dataclass(frozen=True, slots=True)
class BiasView:
    """Pooled pairs of finished placebos: `gain` should be 0 within its interval; score: signed-rank, 0 = no bias."""

    pairs: int
    gain: float
    low: float
    high: float
    score: float

    @property
    def clean(self) -> bool:
        """0 lies inside the interval; one campaign in 30 is not clean by chance."""
        return self.low <= 0.0 <= self.high

    @property
    def alarming(self) -> bool:
        """Too far off for chance, however often one looks."""
        return abs(self.score) >= BIAS_ALARM


@dataclass(frozen=True, slots=True)
class PlaceboView:
    """Finished placebo tests. alarm_at: the number of tests at which too many were FASTER, None when they were not."""

    faster: int
    tests: int
    upper: float | None  # 95 % upper bound of the FASTER share; None without tests
    alarm_at: int | None = None
    bias: BiasView | None = None

    @property
    def known(self) -> bool:
        """Fewer tests prove nothing."""
        return self.tests >= KNOWN_FROM


@dataclass(frozen=True, slots=True)
class PowerView:
    """What 24 pairs of a kernel can see on this device. source: "calibration" or "placebo pairs"."""

    source: str
    pairs: int  # that pair_sd rests on
    pair_sd: float  # of a pair's log ratio
    visible_gain: float  # smallest gain called FASTER with 24 pairs at 80 % power
    promotable_gain: float  # the same for FASTER and confirmed
    pair_seconds: float | None  # device seconds of one pair; None before the first
    timed_pairs: int  # that pair_seconds rests on; 0: it is the calibration's
    test_minutes: float | None  # device minutes of a test of the visible gain
    at: float


@dataclass(frozen=True, slots=True)
class PlannedView:
    """How the static plans of a kernel's candidates came out. agreement: of those that were measured and not at the
    wall, None without any; at_the_wall: how many more the memory was the plan of. points: plans that the filter may
    rest on, of `needed`; tolerance: times the head's plan up to which a candidate goes on, None while there are too
    few."""

    agreement: Agreement | None
    at_the_wall: int
    points: int
    needed: int
    tolerance: float | None

    @property
    def text(self) -> str:
        """`static estimate: n 23, median ratio 1.31, rank correlation 0.84: trust it for order, not for time`."""
        if self.agreement is not None:
            return f"static estimate: {self.agreement.text}"
        where = " off the wall" if self.at_the_wall else ""
        return f"static estimate: no planned candidate was measured{where} yet"

    @property
    def filter_text(self) -> str:
        """What the gate does with plans now."""
        wall = f"; {self.at_the_wall} more at the wall, where plans say nothing" if self.at_the_wall else ""
        if self.tolerance is None:
            return f"its gate only records: not calibrated yet, {self.points} of {self.needed} plans measured{wall}"
        return f"its gate goes up to {self.tolerance:.2f} x the head's plan, by {self.points} plans{wall}"


@dataclass(frozen=True, slots=True)
class NoisePoint:
    """One finished test: robust sd of its pairs' log ratios, and the median of the probes around them."""

    test_id: int
    kind: str
    at: float
    pairs: int
    sd: float
    gbs: float
    mode: str


@dataclass(frozen=True, slots=True)
class DeviceView:
    """One kernel on one device, over all campaigns of this home. calibration: its figures as they were stored.

    modes: kept pairs by the device's mode. redos: of one campaign, by the side whose reading was the long one.
    """

    kernel: str
    pack: str
    fingerprint: str
    power: PowerView | None
    calibration: dict[str, Any] | None
    noise: tuple[NoisePoint, ...]  # oldest first
    modes: dict[str, int]
    calibrated_elsewhere: str = ""  # fingerprint of the last calibration of this kernel on another device
    redos: dict[str, int] = field(default_factory=dict)
    planned: PlannedView | None = None


@dataclass(frozen=True, slots=True)
class QueueItem:
    """Something that is measured, waits or will be due. state: "holds" (the machine, now), "measured", "device",
    "testing", "gates", "kernel", "due", "queued", "brief"; of several devices "used" or "ill"; note: how far it is, or
    for what it waits."""

    state: str
    kernel: str
    what: str
    note: str = ""
