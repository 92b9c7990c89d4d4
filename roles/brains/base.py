"""What a brain is asked and what it answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from kernels.levers.base import Application, Context
from kernels.profiling.profile import Profile
from kernels.values.candidate import Candidate
from knowledge.skills.skill import Skill


@dataclass(frozen=True, slots=True)
class Tried:
    """One finished attempt on a kernel, as the policy sees it.

    under_parent: id of the head it was judged against. gain: share of the head's time saved, None when it was never
    measured. expired: rejected before the head was redesigned, so that it may be offered again. idle: it compiled to
    the head's own machine code.
    """

    lever: str
    family: str
    params: Mapping[str, str | int | float]
    candidate: str
    outcome: str
    verdict: str
    under_parent: str
    gain: float | None
    expired: bool = False
    idle: bool = False


@dataclass(frozen=True, slots=True)
class Lesson:
    """A win or a trap that some kernel's owner wrote down."""

    kind: str  # win, trap
    kernel: str
    lever: str
    strategy: str
    gain: float


@dataclass(frozen=True, slots=True)
class Situation:
    """All that is known of one kernel when the next step is decided.

    head_ns, peak_ns: nanoseconds; peak_ns is None until it was measured. plateau: attempts since the last promotion.
    raced: candidates that were raced or judged against this head.
    working_points: correct candidates near the head whose lineage may still win. banned: (lever, candidate that it was
    applied to) of every step that a fold came in with. skills: those that speak for this type of kernel. priors:
    whether what is known of levers beforehand counts. ranked, stopped: the strategist's word on levers, what it expects
    of each (a share of the head's time, times its chance) and those that nothing is expected of. leaderboard: models
    are told what was tried. profile: where this head's time goes, None until it was profiled.
    """

    kernel: str
    context: Context
    baseline: Candidate
    head: Candidate
    head_ns: float
    peak_ns: float | None
    plateau: int
    tried: Sequence[Tried] = ()
    lessons: Sequence[Lesson] = ()
    in_flight: frozenset[str] = frozenset()
    raced: frozenset[str] = frozenset()
    working_points: Sequence[Candidate] = ()
    refining: bool = False
    banned: frozenset[tuple[str, str]] = frozenset()
    skills: Sequence[Skill] = ()
    priors: bool = True
    ranked: Mapping[str, float] = field(default_factory=dict)
    stopped: frozenset[str] = frozenset()
    leaderboard: bool = True
    profile: Profile | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """One candidate to make: apply this lever to that base. expected_gain is a share of the head's time; chance is the
    brain's belief that it holds; reason and prediction are stored with the node and shown. retest_under: the head under
    which an undecided test is repeated; "" for all that is new."""

    kernel: str
    kind: str  # design, variant
    base: Candidate
    application: Application
    candidate: Candidate
    expected_gain: float
    chance: float
    reason: str
    prediction: str
    score: float = field(default=0.0)
    retest_under: str = ""


class Brain(Protocol):
    """Decides for roles. Called in a thread: it may compute, it may not touch the store or the device."""

    @property
    def name(self) -> str: ...

    def propose(self, situation: Situation, count: int, seed: int) -> list[Proposal]:
        """At most `count` proposals for one kernel, best first; empty when it has no idea left."""
        ...
