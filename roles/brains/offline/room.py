"""How much a change can save: the time of the spans whose loops it changes, less what their plan says they need. Pure.

From the head's profile joined with its static schedule. What is not in a span cannot be saved by changing that span
(Amdahl 1967); what the plan already needs can be saved only where another plan is found, so a part of it stays.
"""

from dataclasses import dataclass
from typing import Final

from kernels.profiling.against import large_arrays, large_of
from kernels.profiling.aim import aimed_at, words
from kernels.profiling.join import Line
from kernels.profiling.profile import Profile
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec

NOT_SURE: Final = 0.25
"""Of a span's time that is left to be saved where it takes no longer than planned: plans go wrong, and levers change
them. Chosen, not measured."""


@dataclass(frozen=True, slots=True)
class Room:
    """share: of the head's time, what can be saved at most. evidence: for people."""

    share: float
    evidence: str


def room(candidate: Candidate, head: Candidate, spec: KernelSpec, profile: Profile) -> Room | None:
    """None where it cannot be said which spans the candidate changes, or none of them was seen."""
    aim = aimed_at(candidate, head, spec)
    large = large_arrays(spec)
    lines = [line for line in profile.lines if large_of(line, large) & aim]
    if not lines:
        return None
    taken = sum(line.wall_ns for line in lines) / profile.total_ns
    share = sum(line.wall_ns * _left(line) for line in lines) / profile.total_ns
    planned = f", of which {share:.0%} are not planned" if share < taken else ""
    return Room(min(share, 1.0), f"{words(aim)} take {taken:.0%} of the head's time{planned}")


def _left(line: Line) -> float:
    """Share of a span's time that may be saved."""
    if line.planned_ns is None or line.wall_ns <= 0:
        return 1.0
    return max(NOT_SURE, 1.0 - line.planned_ns / line.wall_ns)
