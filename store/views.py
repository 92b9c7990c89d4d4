"""What a screen or a command gets of the store: plain frozen values, made by `store.reads`. Times are UTC seconds
since the epoch, durations seconds, kernel times nanoseconds, gains shares of the head's time."""

from dataclasses import dataclass, field

from store.device_views import PlaceboView


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
    mode: str  # the device mode that held most pairs, e.g. "slow 33 GB/s"
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


@dataclass(frozen=True, slots=True)
class ScorePoint:
    """A step of the score, by the ledger: seconds since the start of the campaign; kernel "" is the geometric mean."""

    at_s: float
    kernel: str
    speedup: float


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


@dataclass(frozen=True, slots=True)
class OverviewView:
    campaign: CampaignView
    engine: EngineView | None
    kernels: tuple[KernelView, ...]
    score: tuple[ScorePoint, ...]
    live: TestView | None
    queue: tuple[str, ...]
    attention: tuple[str, ...]
    agent_states: dict[str, int]
    recent: tuple["EventView", ...] = ()


@dataclass(frozen=True, slots=True)
class NodeView:
    """One line of a Design Tree. sign: + kept, - rejected or reverted, ~ accepted or flat, ! slower or tainted,
    . at work. taint: why it does not count."""

    id: int
    parent: int | None
    kernel: str
    kind: str  # idea, design, variant
    lever: str
    title: str
    outcome: str
    verdict: str
    sign: str
    agent: str
    gain: float | None
    candidate_id: str
    is_head: bool
    on_head_path: bool
    tainted: bool
    created_at: float
    taint: str = ""
    race: int | None = None  # the race that picked its candidate


@dataclass(frozen=True, slots=True)
class GateView:
    gate: str
    state: str
    kind: str
    reason: str
    seconds: float
    facts: dict[str, object]
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RacedView:
    """One variant of a race. rank: from 1, None when it dropped out, for what gate, kind and reason say. gain: the
    median over its blocks as a share of the head's time, selected."""

    candidate_id: str
    params: dict[str, str]
    state: str  # entered, refused, caught, ranked
    rank: int | None
    gain: float | None
    rounds: int
    tied: bool
    gate: str
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class RaceView:
    """A race of the variants of one proposal. variants: best first, then those that dropped out."""

    id: int
    node: int
    lever: str
    head_id: str
    state: str  # running, done, interrupted
    winner: str  # candidate id, "" without one
    grid: int
    readings: int
    blocks: int
    redone: int  # blocks that were taken again, because the device's mode changed in them
    device_seconds: float
    seed: str
    reason: str
    variants: tuple[RacedView, ...]


@dataclass(frozen=True, slots=True)
class NodeDetail:
    node: NodeView
    reason: str
    prediction: str
    flags: tuple[str, ...]
    under_parent: str  # "SLOWER under parent 1f3c..." or ""
    source: str
    diff: str  # unified diff to the parent's source
    gates: tuple[GateView, ...]
    tests: tuple[TestView, ...]
    race: RaceView | None = None


@dataclass(frozen=True, slots=True)
class AgentView:
    name: str
    role: str
    kernel: str
    state: str  # working, waiting, pausing, paused, killed, crashed, done, interrupted
    brief: str
    step: str
    since: float
    tokens: int
    usd: float
    lines: tuple[str, ...] = ()
    seen_at: float = 0.0  # last sign of life: a new step or a line


@dataclass(frozen=True, slots=True)
class ImportedView:
    """What its file said of an imported filing. place: its own order; filed_text: its time as written; board: kind of
    run; reference: submission or job; cycles: by kernel; score: as published; recomputed: from cycles and baseline."""

    place: int
    filed_text: str
    team: str
    board: str
    reference: str
    source: str
    cycles: dict[str, float]
    score: float | None
    recomputed: float | None


@dataclass(frozen=True, slots=True)
class FilingView:
    id: int
    kind: str  # promotion, submission, imported
    kernel: str
    node: int | None
    lever: str
    filed_at: float
    gain: float | None
    interval: tuple[float, float] | None
    ledger_speedup: float | None
    times_peak: float | None
    device: str
    fingerprint: str
    tainted: bool
    taint: str = ""  # why it does not count
    campaign: int = 0
    candidate: str = ""  # "" of an imported one
    imported: ImportedView | None = None  # counts in no result of this device


@dataclass(frozen=True, slots=True)
class EventView:
    id: int
    at: float
    kind: str
    subject: str
    text: str
    data: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CommandView:
    id: int
    at: float
    actor: str
    verb: str
    target: str
    state: str  # queued, taken, done, refused, interrupted
    result: str
    args: dict[str, object] = field(default_factory=dict)
