"""One way to go on from a base: which lever, how, and what is believed of it; the candidate and the proposal of it."""

import math
from dataclasses import dataclass, replace
from typing import Final

from kernels.design.annotations import carry_over
from kernels.levers import registry
from kernels.levers.base import Application, LeverDoesNotApply
from kernels.values.candidate import Candidate
from kernels.values.params import params_text
from roles.brains.base import Proposal, Situation
from roles.brains.offline.belief import Belief
from roles.brains.offline.room import room

STRUCTURAL: Final = frozenset({"sketch"})


@dataclass(frozen=True, slots=True)
class Option:
    """kind: "variant" from the head, "design" from the baseline. second: another lever that is pulled as well."""

    base: Candidate
    kind: str
    application: Application
    belief: Belief
    second: Application | None = None

    def value(self, situation: Situation) -> float:
        """What the policy believes; where the strategist ranked the lever, the geometric mean with what it expects."""
        ranked = situation.ranked.get(self.application.lever)
        return self.belief.value if ranked is None else math.sqrt(max(self.belief.value * ranked, 0.0))

    def render(self, situation: Situation) -> Candidate | None:
        """The candidate, or None when the lever's pattern turns out not to fit."""
        try:
            made = registry.apply(self.base, self.application, situation.context)
            if self.second is not None:
                made = registry.apply(made, self.second, situation.context)
        except LeverDoesNotApply:
            return None
        if self.application.family in STRUCTURAL and situation.head.id != situation.baseline.id:
            made = replace(made, files={**made.files, made.main: carry_over(situation.head.source, made.source)})
        return made

    def within(self, situation: Situation, candidate: Candidate) -> "Option":
        """The same, believed to save no more than the spans that it changes leave to be saved."""
        if situation.profile is None or self.base.id != situation.head.id:
            return self
        found = room(candidate, situation.head, situation.context.spec, situation.profile)
        if found is None:
            return self
        belief = self.belief
        evidence = f"{belief.evidence}; {found.evidence}"
        return replace(self, belief=replace(belief, gain=min(belief.gain, found.share), evidence=evidence))

    def proposal(self, situation: Situation, candidate: Candidate) -> Proposal:
        belief, application = self.belief, self.application
        starts = "the head" if self.base.id == situation.head.id else "the baseline"
        structural = application.family in STRUCTURAL
        also = f" together with {self.second.lever} {params_text(self.second.params)}" if self.second else ""
        return Proposal(
            kernel=situation.kernel,
            kind="design" if structural else "variant",
            base=self.base,
            application=application,
            candidate=candidate,
            expected_gain=belief.gain,
            chance=belief.mean_chance,
            reason=f"{application.lever} {params_text(application.params)}{also} on {starts}: {application.reason}; "
            f"{belief.evidence}",
            prediction=f"{belief.gain:+.1%} with chance {belief.mean_chance:.0%}; {application.expects}",
            score=self.value(situation),
        )


def known(situation: Situation) -> set[str]:
    """Ids of what is not to be proposed: tried and not expired, in flight, raced, head and baseline."""
    tried = {t.candidate for t in situation.tried if not t.expired}
    return tried | situation.in_flight | situation.raced | {situation.head.id, situation.baseline.id}
