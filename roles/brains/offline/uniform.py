"""Random search behind the brain's interface: what every search has to beat.

Uniformly a lever among those that fit the head, then uniformly one of its places and parameters. It knows nothing of
priors, evidence, sketches from the baseline or plateaus; like the policy it proposes nothing twice.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from kernels.levers import registry
from kernels.levers.base import Application
from roles.brains.base import Proposal, Situation
from roles.brains.offline.belief import Belief
from roles.brains.offline.option import Option, known

NOTHING: Final = Belief(0.0, 0.0, 0.0, "drawn at random")


@dataclass(frozen=True, slots=True)
class RandomBrain:
    name: str = "offline:random"

    def propose(self, situation: Situation, count: int, seed: int) -> list[Proposal]:
        rng = np.random.Generator(np.random.PCG64(seed))
        seen, found = known(situation), list[Proposal]()
        left = _by_lever(situation)
        while left and len(found) < count:
            lever = sorted(left)[int(rng.integers(len(left)))]
            application = left[lever].pop(int(rng.integers(len(left[lever]))))
            if not left[lever]:
                del left[lever]
            option = Option(situation.head, "variant", application, NOTHING)
            candidate = option.render(situation)
            if candidate is not None and candidate.id not in seen:
                seen.add(candidate.id)
                found.append(option.proposal(situation, candidate))
        return found


def _by_lever(situation: Situation) -> dict[str, list[Application]]:
    """What fits the head and is not banned there."""
    found: dict[str, list[Application]] = {}
    for application in registry.applications(situation.head, situation.context):
        if (application.lever, situation.head.id) not in situation.banned:
            found.setdefault(application.lever, []).append(application)
    return found
