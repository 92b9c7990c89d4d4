"""What a report gets of the store: plain frozen values, made by `store.reads.report`. Units as in `store.views`.

event, events: ids of the events that a figure stands in; None where nothing was written of it.
"""

from dataclasses import dataclass
from typing import Any

from store.views import FilingView, NodeView


@dataclass(frozen=True, slots=True)
class BaselineView:
    """What every speedup of a kernel is against. flags: its own, beside those of the pack and the target."""

    kernel: str
    candidate: str
    language: str
    main: str
    flags: tuple[str, ...]
    ns: float | None


@dataclass(frozen=True, slots=True)
class EntryView:
    """One entry of the ledger. speaks: it is the kernel's number now; tainted: it counts in none."""

    id: int
    kernel: str
    against: str
    head: str
    speedup: float
    low: float
    high: float
    pairs: int
    mode: str
    head_ns: float | None
    against_ns: float | None
    at: float
    tainted: bool
    speaks: bool
    event: int | None


@dataclass(frozen=True, slots=True)
class StepView:
    """One promotion. gain, low, high: of its acceptance test, selected; fresh_*: of its confirmation. lost: why it was
    taken back, "" while it is in force. former: measured under another toolchain than the present one."""

    kernel: str
    node: int
    lever: str
    title: str
    agent: str
    candidate: str
    gain: float | None
    low: float | None
    high: float | None
    fresh_gain: float | None
    fresh_low: float | None
    fresh_high: float | None
    head_ns: float | None
    times_peak: float | None
    mode: str
    at: float
    lost: str
    tainted: bool
    event: int | None
    former: bool = False


@dataclass(frozen=True, slots=True)
class LineageView:
    """From the idea card down to the head of one kernel."""

    kernel: str
    nodes: tuple[NodeView, ...]


@dataclass(frozen=True, slots=True)
class LeverView:
    """Attempts with one lever on one kernel that did not become the head. ended: how many by verdict or refusal;
    best: the largest estimate among them; event: of the last one."""

    kernel: str
    lever: str
    tried: int
    kept: int
    ended: dict[str, int]
    best: float | None
    event: int | None


@dataclass(frozen=True, slots=True)
class PromiseView:
    """Finished proposals with one lever. expected: how many of them were to hold, the sum of their stated chances, None
    where one states none; held: how many became the head. promised: the median of the stated gains; gain: that of the
    measured ones of those that held; measured: that of all that were measured. Gains are shares of the head's time."""

    kernel: str
    lever: str
    proposals: int
    expected: float | None
    held: int
    promised: float
    gain: float | None
    measured: float | None


@dataclass(frozen=True, slots=True)
class RefusalView:
    """Candidates that one gate refused for one kind of reason. node, reason: of the last one; raced: variants of races
    among them."""

    gate: str
    kind: str
    count: int
    raced: int
    node: int | None
    reason: str
    event: int | None


@dataclass(frozen=True, slots=True)
class FoldView:
    """A node with a fold in its content. spread: nodes that were made from it or equal it; promotions: that fell."""

    kernel: str
    node: int
    lever: str
    why: str
    spread: int
    promotions: int
    event: int | None


@dataclass(frozen=True, slots=True)
class AuditsView:
    """Audits of one kernel's promoted heads by how they ended; event: of the last one."""

    kernel: str
    passed: int
    folds: int
    failed: int
    event: int | None


@dataclass(frozen=True, slots=True)
class FiledView:
    """A filing that is no promotion."""

    filing: FilingView
    event: int | None


@dataclass(frozen=True, slots=True)
class NoiseView:
    """cv: standard deviation over mean of the head's readings inside of a test, pooled over `tests` tests."""

    kernel: str
    cv: float | None
    tests: int
    readings: int
    calibration: dict[str, Any] | None
    calibration_event: int | None


@dataclass(frozen=True, slots=True)
class ModelCost:
    """What one role asked of one model. unpriced: calls of which nobody knows the price; they are not in usd."""

    role: str
    model: str
    calls: int
    tokens: int
    usd: float
    unpriced: int


@dataclass(frozen=True, slots=True)
class CostView:
    """device: seconds by kind of test; seconds: by what the campaign spent them on; models: by what they cost."""

    device: dict[str, float]
    pairs: int
    readings: int
    seconds: dict[str, float]
    models: tuple[ModelCost, ...]


@dataclass(frozen=True, slots=True)
class PeakView:
    """The fastest probe of a kernel's weights in one device mode; a planning reference, not a bound."""

    kernel: str
    ns: float
    gbs: float
    style: str
    mode: str
    event: int | None
