"""When the offline policy has no idea left, a model that writes sources is asked for one of its own."""

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Final

from kernels.levers.base import Application
from roles.brains.base import Brain, Proposal, Situation

OPEN: Final = "own idea"
PER_HEAD: Final = 3
GAIN, CHANCE = 0.1, 0.2  # of an idea that nobody has had yet


def is_open(proposal: Proposal) -> bool:
    """Whether it asks for an idea; its candidate is the head itself then."""
    return proposal.application.lever == OPEN


@dataclass(slots=True)
class OpenIdeas:
    """inner: asked first. active: whether there is a model that may be asked. A head is asked about three times, and
    not again once a model got stuck there. parked: (kernel, head) where one did."""

    inner: Brain
    active: Callable[[], bool]
    parked: Container[tuple[str, str]] = frozenset()
    given: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.inner.name

    def propose(self, situation: Situation, count: int, seed: int) -> list[Proposal]:
        found = self.inner.propose(situation, count, seed)
        key = (situation.kernel, situation.head.id)
        asked = self.given.get(key, 0)
        over = asked >= PER_HEAD or key in self.parked or situation.refining
        over = over or situation.head.id in situation.in_flight
        if found or count < 1 or over or not self.active():
            return found
        self.given[key] = asked + 1
        return [_open(situation)]


def _open(situation: Situation) -> Proposal:
    application = Application(OPEN, "structure", {}, "", "no named change is left", "an idea of the model's own")
    return Proposal(
        kernel=situation.kernel, kind="variant", base=situation.head, application=application,
        candidate=situation.head, expected_gain=GAIN, chance=CHANCE,
        reason="no named change is left under this head: the model is asked for an idea of its own",
        prediction=f"{GAIN:+.0%} with chance {CHANCE:.0%}", score=GAIN * CHANCE,
    )  # fmt: skip
