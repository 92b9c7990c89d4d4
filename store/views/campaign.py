"""A campaign with its kernels and the process that owns it."""

from dataclasses import dataclass, field

from store.device_views import PlaceboView
from store.views.judged import ShapeView


@dataclass(frozen=True, slots=True)
class EngineView:
    """The process that owns the campaign. alive: its last heartbeat is younger than 12 s."""

    pid: int
    host: str
    started_at: float
    heartbeat_at: float
    alive: bool
    loop_lag_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class CampaignView:
    id: int
    pack: str
    target: str
    fingerprint: str
    toolchain: str
    device: str
    brain: str
    seed: int
    state: str  # running, pausing, paused, stopping, finished, interrupted
    started_at: float
    elapsed_s: float
    minutes: float  # budget; 0 = unbounded
    candidates_budget: int  # 0 = unbounded
    usd: float  # spent so far
    sandbox_level: str
    mode: str  # the device mode of the ledger's numbers, e.g. "slow 33 GB/s"; all of them where they are several
    claimed_gain: float | None  # product of accepted estimates, as a speedup factor; None when one is no number
    ledger_speedup: float | None  # geometric mean over the kernels, by the ledger
    ledger_low: float | None
    ledger_high: float | None
    tests_run: int
    promotions: int
    candidates: int
    rejections: dict[str, int]  # by gate or kind
    expected_false_promotions: float
    faster_but_dropped: int
    placebo: PlaceboView
    device_busy_fraction: float
    holder: str  # who holds the host now: "reading ffn", "build", ""
    stopped_because: str = ""
    refused: str = ""  # why there is no geometric mean although kernels have entries
    tainted: tuple[str, ...] = ()  # promotions that count no more, a line each
    audited: tuple[str, ...] = ()  # by kernel how many audits, and how far through the domains of its head
    seconds: dict[str, float] = field(default_factory=dict)  # build, check, readings, overhead
    claimed_toolchains: int = 1  # that the steps behind claimed_gain were measured under

    @property
    def claimed_mark(self) -> str:
        """Numbers of different toolchains never stand together without it."""
        return f" over {self.claimed_toolchains} toolchains" if self.claimed_toolchains > 1 else ""


@dataclass(frozen=True, slots=True)
class KernelView:
    name: str
    baseline_ns: float | None
    head_ns: float | None
    peak_ns: float | None
    ledger_speedup: float | None
    ledger_low: float | None
    ledger_high: float | None
    times_peak: float | None
    candidates: int
    tests: int
    promotions: int
    head_id: str
    last_lever: str
    last_gain: float | None
    plateau: int
    status: str  # what happens to it now: "testing prefetch 4096", "building", "idle", "paused"
    reference: str = ""  # who judges it, when that is not numpy
    score: float | None = None  # 0.5 at the baseline, 1 at the peak, see `kernels.judge.anchored`
    ledger_times_peak: float | None = None  # of what the ledger measured: that head, the baseline before any entry
    peak_mode: str = ""  # the device mode of the peak, where that of the head's time is another one
    ledger_mode: str = ""  # the device mode of the ledger's test
    shapes: tuple[ShapeView, ...] = ()  # of the ledger's test; () for a kernel of one shape


@dataclass(frozen=True, slots=True)
class ScorePoint:
    """A step of the score, by the ledger: seconds since the start of the campaign; kernel "" is the geometric mean."""

    at_s: float
    kernel: str
    speedup: float
