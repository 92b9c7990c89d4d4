"""The levers of one kernel as a model is told them: what fits the head or, as a design, the baseline, and what the
policy believes of each. Pure."""

from dataclasses import dataclass

import numpy as np

from kernels.levers import registry
from kernels.levers.base import Application
from roles.brains.base import Situation
from roles.brains.offline.belief import Belief, believe
from roles.brains.offline.option import STRUCTURAL, Option, known


@dataclass(frozen=True, slots=True)
class Known:
    """gain: share of the head's time; chance: that it holds; ways: in how many ways it fits now."""

    lever: str
    family: str
    gain: float
    chance: float
    evidence: str
    ways: int

    @property
    def line(self) -> str:
        fits = f"{self.ways} ways now" if self.ways else "does not fit now"
        return f"- {self.lever} ({self.family}, {fits}): {self.gain:.1%} at {self.chance:.0%}; {self.evidence}"


def known_levers(situation: Situation) -> dict[str, Known]:
    """By name, those of most value first. Blocks: it parses sources."""
    ways: dict[str, int] = {}
    for one in _applications(situation):
        ways[one.lever] = ways.get(one.lever, 0) + 1
    for tried in situation.tried:
        if tried.lever in registry.names():
            ways.setdefault(tried.lever, 0)
    found = [_known(situation, lever, count) for lever, count in ways.items()]
    return {one.lever: one for one in sorted(found, key=lambda k: -k.gain * k.chance)}


def designs(situation: Situation) -> list[Option]:
    """Whole designs that code can make from the baseline and that are not known, in a fixed order. Blocks."""
    seen, found = known(situation), list[Option]()
    for one in registry.applications(situation.baseline, situation.context):
        if one.family not in STRUCTURAL or (one.lever, situation.baseline.id) in situation.banned:
            continue
        option = Option(situation.baseline, "design", one, _believed(situation, one.lever, one.family))
        candidate = option.render(situation)
        if candidate is not None and candidate.id not in seen:
            seen.add(candidate.id)
            found.append(option)
    return found


def _applications(situation: Situation) -> list[Application]:
    found = registry.applications(situation.head, situation.context)
    if situation.head.id != situation.baseline.id:
        again = registry.applications(situation.baseline, situation.context)
        found += [one for one in again if one.family in STRUCTURAL]
    return found


def _known(situation: Situation, lever: str, ways: int) -> Known:
    family = registry.family_of(lever)
    belief = _believed(situation, lever, family)
    return Known(lever, family, belief.gain, belief.mean_chance, belief.evidence, ways)


def _believed(situation: Situation, lever: str, family: str) -> Belief:
    headroom = 1.0 if situation.peak_ns is None else max(1.0 - situation.peak_ns / situation.head_ns, 0.0)
    rng = np.random.Generator(np.random.PCG64(0))
    return believe(
        lever,
        family,
        situation.tried,
        situation.lessons,
        headroom,
        rng,
        skills=situation.skills,
        priors=situation.priors,
    )
