"""Tests with their pairs and why they ended as they did."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PairView:
    seq: int
    first: str
    head_ns: float
    candidate_ns: float
    log_ratio: float
    probe_gbs: float  # before the pair
    mode: str
    redo_reason: str
    at: float
    probe_after_gbs: float = 0.0
    head_reading: dict[str, float] = field(default_factory=dict)  # calls, minimum_ns, maximum_ns, own_ns
    candidate_reading: dict[str, float] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)  # load, realtime, clock_mhz, level, ...
    head_shapes: dict[str, float] = field(
        default_factory=dict
    )  # nanoseconds at each shape, of a kernel that has shapes
    candidate_shapes: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShapeView:
    """One shape of a kernel by the pairs of one test: old time over new time with its interval, and the median times of
    old and new there."""

    name: str
    speedup: float
    low: float
    high: float
    old_ns: float
    new_ns: float
    pairs: int


@dataclass(frozen=True, slots=True)
class TrailPoint:
    """The score after n pairs, with the boundaries in force there; None = no look at n."""

    n: int
    score: float
    faster: float | None
    slower: float | None
    unclear_below: float | None


@dataclass(frozen=True, slots=True)
class WhyView:
    """What the rule made of a test, in words. looks: every look so far, the last one is what ended it; ahead: what the
    next one would do; redos: redone pairs by side and reason; warnings: carry-over, a stored verdict that the rule
    does not give."""

    looks: tuple[str, ...] = ()
    ahead: str = ""
    redos: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TestView:
    id: int
    kind: str  # acceptance, confirmation, ledger, batch, calibration; placebo only once it is done
    kernel: str
    lever: str
    agent: str
    node_id: int | None
    candidate_id: str
    head_id: str
    state: str  # running, done, interrupted
    verdict: str
    pairs_done: int
    pairs_budget: int
    score: float
    estimate: float | None
    low: float | None
    high: float | None
    next_look: int | None
    device_seconds: float
    started_at: float
    reason: str
    trail: tuple[TrailPoint, ...] = ()
    pairs: tuple[PairView, ...] = ()
    rule: str = ""
    seed: str = ""  # of the coin that orders the pairs
    looks: tuple[TrailPoint, ...] = ()  # the boundaries at every look of its rule, score 0; with the trail only
    why: WhyView | None = None
    speedup: tuple[float, float, float] | None = None  # of a ledger entry: old time over new time, its interval
