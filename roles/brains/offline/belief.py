"""What the policy believes of a lever: a chance that it holds and a gain if it does, from priors and evidence.

Chance: a Beta posterior whose prior counts stand below, moved by skills that speak for a lever or against it on this
type of kernel, updated by this campaign's attempts and, at less weight, by the lessons of kernels of the same type.
Gain: a shrunken mean of measured log gains. Pure and seeded: the same situation and seed give the same numbers
(Thompson sampling; Thompson 1933, Chapelle & Li 2011).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from knowledge.skills.skill import Skill
from roles.brains.base import Lesson, Tried


@dataclass(frozen=True, slots=True)
class Prior:
    """successes, failures: pseudo-counts; log_gain: expected log(head / candidate) when it holds."""

    successes: float
    failures: float
    log_gain: float


PRIORS: Final[Mapping[str, Prior]] = {
    "sketch": Prior(2.0, 1.0, 1.0),
    "structure": Prior(1.0, 2.0, 0.2),
    "tunable": Prior(1.0, 3.0, 0.05),
    "flags": Prior(1.0, 5.0, 0.04),
}
# Structural levers differ widely; these come from single levers timed on loop nests of linear algebra and stencils.
BY_LEVER: Final[Mapping[str, Prior]] = {
    "accumulators": Prior(2.0, 1.0, 0.9),
    "interchange": Prior(2.0, 1.0, 0.8),
    "interchange_prefix": Prior(2.0, 1.0, 0.8),
    "threads": Prior(2.0, 1.0, 0.5),
    "restrict": Prior(1.5, 1.5, 0.5),
    "hoist": Prior(1.0, 1.5, 0.4),
    "unroll_jam": Prior(1.0, 1.5, 0.35),
    "fuse_loops": Prior(1.0, 1.5, 0.3),
    "fuse_shifted": Prior(1.0, 1.5, 0.3),
    "tile": Prior(1.0, 2.5, 0.25),
    "split_loop": Prior(1.0, 4.0, 0.1),
    "strength_reduction": Prior(1.0, 4.0, 0.1),
    "prefetch": Prior(1.0, 4.0, 0.08),
}
NO_PRIOR: Final = Prior(1.0, 2.0, 0.2)
"""Of every lever where nothing is to be known beforehand."""
SKILL_WEIGHT: Final = 1.0
"""Pseudo-counts of what skills say, as much as one attempt."""
SIBLING_WEIGHT: Final = 0.5
TRAP_WEIGHT: Final = 0.5
IDLE_WEIGHT: Final = 0.5
"""Of a change that an earlier design's compiler output did not show: what a compiler does by itself for one design, it
mostly does for the next."""
GAIN_WEIGHT: Final = 2.0
WON: Final = "KEEP"
NEAR: Final = "ACCEPT"


@dataclass(frozen=True, slots=True)
class Belief:
    """chance is the drawn sample, mean_chance its expectation; gain is a share of the head's time."""

    chance: float
    mean_chance: float
    gain: float
    evidence: str

    @property
    def value(self) -> float:
        return self.chance * self.gain


def believe(
    lever: str,
    family: str,
    tried: Sequence[Tried],
    lessons: Sequence[Lesson],
    headroom: float,
    rng: np.random.Generator,
    *,
    skills: Sequence[Skill] = (),
    priors: bool = True,
) -> Belief:
    """Belief about one lever on one kernel.

    headroom: the share of the head's time that lies above the measured peak; 1.0 while the peak is unknown. skills:
    those for this type of kernel. priors: whether the tables above count.
    """
    prior = (BY_LEVER.get(lever) or PRIORS.get(family, PRIORS["structure"])) if priors else NO_PRIOR
    advice = [skill.name for skill in skills if skill.speaks_for(lever)]
    warnings = [skill.name for skill in skills if skill.speaks_against(lever)]
    mine = [t for t in tried if t.lever == lever and t.outcome != "INVALID" and not t.expired]
    wins = [t for t in mine if t.outcome == WON]
    told_wins = [x for x in lessons if x.lever == lever and x.kind == "win"]
    told_traps = [x for x in lessons if x.lever == lever and x.kind == "trap"]
    a = prior.successes + SKILL_WEIGHT * bool(advice) + len(wins) + SIBLING_WEIGHT * len(told_wins)
    idle = [t for t in tried if t.lever == lever and t.idle and t.expired]
    b = prior.failures + SKILL_WEIGHT * bool(warnings) + _misses(mine) + TRAP_WEIGHT * len(told_traps)
    b += IDLE_WEIGHT * len(idle)
    gain = _gain(prior, wins, told_wins, headroom)
    evidence = [*_evidence(mine, wins, told_wins, told_traps), *_said(advice, warnings)]
    evidence += [f"changed no machine code {len(idle)} times before"] if idle else []
    return Belief(float(rng.beta(a, b)), a / (a + b), gain, "; ".join(evidence) or "no evidence yet, prior only")


def _misses(mine: Sequence[Tried]) -> float:
    """A near miss counts a little less: the lever may still win under another head."""
    return sum(0.8 if t.outcome == NEAR else 1.0 for t in mine if t.outcome != WON)


def _gain(prior: Prior, wins: Sequence[Tried], told: Sequence[Lesson], headroom: float) -> float:
    logs = [-math.log1p(-t.gain) for t in wins if t.gain is not None and 0 < t.gain < 1]
    logs += [-math.log1p(-x.gain) for x in told if 0 < x.gain < 1]
    mean = (GAIN_WEIGHT * prior.log_gain + sum(logs)) / (GAIN_WEIGHT + len(logs))
    return min(-math.expm1(-mean), max(headroom, 0.004))


def _evidence(
    mine: Sequence[Tried], wins: Sequence[Tried], told_wins: Sequence[Lesson], told_traps: Sequence[Lesson]
) -> list[str]:
    parts = []
    if mine:
        parts.append(f"{len(wins)} of {len(mine)} held here")
    if told_wins:
        parts.append(f"won on {', '.join(sorted({x.kernel for x in told_wins}))}")
    if told_traps:
        parts.append(f"a trap on {', '.join(sorted({x.kernel for x in told_traps}))}")
    return parts


def _said(advice: Sequence[str], warnings: Sequence[str]) -> list[str]:
    said = (("for", advice), ("against", warnings))
    return [f"skill {', '.join(names)} speaks {way} it" for way, names in said if names]
