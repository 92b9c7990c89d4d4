"""Nodes of Design Trees, what the gates said of them, races of their variants."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from store.views.judged import TestView


class End(NamedTuple):
    """How a node ended, as far as counts need it."""

    outcome: str
    verdict: str
    refusal: str
    gain: float | None


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
    refusal: str = ""  # the kind of the refusal, else the gate that refused
    has_children: bool = False  # said where a tree is read branch by branch

    @property
    def end(self) -> End:
        return End(self.outcome, self.verdict, self.refusal, self.gain)


@dataclass(frozen=True, slots=True)
class TreePart:
    """What was read of one kernel's tree. nodes: by birth; outcomes: how many nodes of the whole tree ended how,
    "" = at work, or nothing to judge; path: the head's node and all above it; left_out: nodes with the words of a
    filter that were too many to show."""

    nodes: tuple[NodeView, ...]
    outcomes: Mapping[str, int]
    path: frozenset[int]
    left_out: int = 0


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
