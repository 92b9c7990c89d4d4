"""Verdicts that expire: a rejection holds under the parent it was measured against, not under another design.

When the head moves far, ideas that were rejected under old parents may be offered again. A refusal by a gate (wrong
values, a crash, a compile error) is about the candidate itself and never expires.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kernels.values.verdict import Verdict

FAR: Final = 0.2
"""A promotion that saves at least this share of the head's time moves the head far, whatever made it."""
REJECTIONS: Final = frozenset({Verdict.SLOWER, Verdict.FLAT, Verdict.UNCLEAR})


@dataclass(frozen=True, slots=True)
class Judged:
    """One finished attempt, in the order of their ends. kept: promoted; design: not a variant of the head; gain: share
    of the head's time, None when it was not measured; verdict: "" when no test was run."""

    verdict: str
    kept: bool = False
    design: bool = False
    gain: float | None = None


def is_redesign(one: Judged) -> bool:
    """Whether this promotion moved the head far."""
    return one.kept and (one.design or (one.gain is not None and one.gain >= FAR))


def expired(attempts: Sequence[Judged]) -> tuple[bool, ...]:
    """For each attempt, whether it is a rejection that a later redesign of the head has outdated."""
    last = max((i for i, one in enumerate(attempts) if is_redesign(one)), default=-1)
    return tuple(i < last and one.verdict in REJECTIONS and not one.kept for i, one in enumerate(attempts))
