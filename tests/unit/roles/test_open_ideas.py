"""A model is asked for an idea of its own only when no named change is left, and not without end."""

from dataclasses import replace

from kernels.levers.base import Context
from kernels.values.machine import Machine
from roles.brains.base import Proposal, Situation
from roles.brains.open_ideas import PER_HEAD, OpenIdeas, is_open
from tests.unit.roles.pipeline_rig import BASE, SPEC, variant


class Inner:
    name = "inner"

    def __init__(self, found: list[Proposal]) -> None:
        self.found = found

    def propose(self, situation: Situation, count: int, seed: int) -> list[Proposal]:
        return self.found


AT_BASE = Situation("gemv", Context(SPEC, Machine("cpu", "x86_64", frozenset(), 1)), BASE, BASE, 1e6, None, 0)


def test_each_head_is_asked_about_a_few_times() -> None:
    ideas = OpenIdeas(Inner([]), lambda: True)
    for _ in range(PER_HEAD):
        (proposal,) = ideas.propose(AT_BASE, 3, 1)
        assert is_open(proposal)
        assert proposal.candidate == BASE
    assert ideas.propose(AT_BASE, 3, 1) == []
    assert len(ideas.propose(replace(AT_BASE, head=variant("int a;")), 3, 1)) == 1


def test_not_while_one_is_in_flight_nor_without_a_model() -> None:
    assert OpenIdeas(Inner([]), lambda: True).propose(replace(AT_BASE, in_flight=frozenset({BASE.id})), 3, 1) == []
    assert OpenIdeas(Inner([]), lambda: False).propose(AT_BASE, 3, 1) == []


def test_what_the_policy_has_comes_first() -> None:
    (own,) = OpenIdeas(Inner([]), lambda: True).propose(AT_BASE, 1, 1)
    assert OpenIdeas(Inner([own]), lambda: True).propose(AT_BASE, 3, 1) == [own]
