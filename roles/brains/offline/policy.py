"""The offline search policy: which lever to try next on one kernel, from what, and why.

Not a script of known answers: it lists every lever whose pattern fits, leaves out what was tried, believes
(`belief.py`), draws, and proposes the best. Levers that helped are combined because each proposal starts from the
present head; a new sketch from the baseline carries over the head's tunable values. Where the head was profiled, no
change is believed to save more than its spans take.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np

from kernels.levers import registry
from kernels.values.candidate import Candidate
from roles.brains.base import Proposal, Situation
from roles.brains.offline.belief import believe
from roles.brains.offline.option import STRUCTURAL, Option, known

MIX_AFTER: Final = 6  # attempts without a promotion before two tunables are moved at once
MIX_DRAWS: Final = 12
WINDOW: Final = 6  # proposals whose spans are looked up before the best of them is given


@dataclass(frozen=True, slots=True)
class OfflineBrain:
    """plateau_draft: r_draft, the plateau after which another design family is drafted from the baseline; 0 = never."""

    plateau_draft: int = 12
    name: str = "offline"

    def propose(self, situation: Situation, count: int, seed: int) -> list[Proposal]:
        rng = np.random.Generator(np.random.PCG64(seed))
        ranked = sorted(self._options(situation, rng), key=lambda option: -option.value(situation))
        return list(self._distinct(situation, ranked, count))

    def _options(self, situation: Situation, rng: np.random.Generator) -> list[Option]:
        headroom = _headroom(situation)
        options: list[Option] = []
        for base, kind in self._bases(situation):
            for application in registry.applications(base, situation.context):
                if kind == "design" and application.family not in STRUCTURAL:
                    continue
                if (application.lever, base.id) in situation.banned or application.lever in situation.stopped:
                    continue
                belief = believe(
                    application.lever, application.family, situation.tried, situation.lessons, headroom, rng,
                    skills=situation.skills, priors=situation.priors,
                )  # fmt: skip
                options.append(Option(base, kind, application, belief))
        if situation.plateau >= MIX_AFTER:
            options.extend(_mixtures(options, rng))
        return self._drafted(situation, options)

    @staticmethod
    def _bases(situation: Situation) -> list[tuple[Candidate, str]]:
        """The head always; the baseline again for structurally different designs, except near the end."""
        bases = [(situation.head, "variant")]
        if situation.head.id != situation.baseline.id and not situation.refining:
            bases.append((situation.baseline, "design"))
        return bases

    def _drafted(self, situation: Situation, options: list[Option]) -> list[Option]:
        """On a plateau another design comes first, while there is one that was not tried."""
        if not self.plateau_draft or situation.plateau < self.plateau_draft:
            return options
        tried = {t.candidate for t in situation.tried if not t.expired}
        designs = [o for o in options if o.kind == "design"]
        fresh = [
            o for o in designs if (made := o.render(situation)) is not None and made.id not in tried | situation.raced
        ]
        return fresh or options

    @staticmethod
    def _distinct(situation: Situation, ranked: Sequence[Option], count: int) -> Iterator[Proposal]:
        """The best of the next few, again and again: what a change can save is looked up for these alone."""
        made = _made(situation, ranked)
        window = list(islice(made, WINDOW))
        for _ in range(min(count, len(ranked))):
            if not window:
                return
            best = max(range(len(window)), key=lambda i: (window[i][0].value(situation), -i))
            option, candidate = window.pop(best)
            window.extend(islice(made, 1))
            yield option.proposal(situation, candidate)


def _made(situation: Situation, ranked: Sequence[Option]) -> Iterator[tuple[Option, Candidate]]:
    """Candidates that are new, each with its option, whose gain is bounded by what its spans leave to be saved."""
    seen = known(situation)
    for option in ranked:
        candidate = option.render(situation)
        if candidate is not None and candidate.id not in seen:
            seen.add(candidate.id)
            yield option.within(situation, candidate), candidate


def _headroom(situation: Situation) -> float:
    if situation.peak_ns is None or situation.head_ns <= 0:
        return 1.0
    return 1.0 - situation.peak_ns / situation.head_ns


def _mixtures(options: Sequence[Option], rng: np.random.Generator) -> Iterator[Option]:
    """Interactions are tried, not assumed: random pairs of tunables of the head, at half the belief."""
    tunables = [o for o in options if o.application.family == "tunable"]
    if len(tunables) < 2:
        return
    for _ in range(MIX_DRAWS):
        first, second = (tunables[int(i)] for i in rng.choice(len(tunables), 2, replace=False))
        if first.application.lever == second.application.lever and first.application.site == second.application.site:
            continue
        belief = replace(first.belief, chance=first.belief.chance * 0.5 + second.belief.chance * 0.25)
        yield replace(first, belief=belief, second=second.application)
