"""Random search: seeded, uniform over the levers that fit the head, nothing twice, known by its words."""

from collections import Counter

import pytest

from kernels.levers import registry
from roles.brains.offline.registry import brain_of
from roles.brains.offline.uniform import RandomBrain
from tests.unit.roles.test_offline_policy import BASE, CONTEXT, situation, tried

BRAIN = RandomBrain()


def test_the_same_seed_gives_the_same_proposals_and_another_others() -> None:
    first, again, other = ([p.candidate.id for p in BRAIN.propose(situation(), 5, seed)] for seed in (4, 4, 5))
    assert len(set(first)) == 5
    assert first == again
    assert first != other


def test_each_lever_that_fits_is_as_likely_as_any_other() -> None:
    levers = {a.lever for a in registry.applications(BASE, CONTEXT)}
    drawn = Counter(BRAIN.propose(situation(), 1, seed)[0].application.lever for seed in range(160))
    assert set(drawn) == levers
    assert max(drawn.values()) < 4 * 160 / len(levers)


def test_it_starts_from_the_head_alone_and_ends_with_its_levers() -> None:
    head = next(p.candidate for p in BRAIN.propose(situation(), 40, 1) if p.application.family == "sketch")
    found = BRAIN.propose(situation(head=head), 100, 1)
    assert {p.base.id for p in found} == {head.id}
    assert BRAIN.propose(situation(head=head, tried=[tried(p) for p in found]), 5, 2) == []


def test_a_banned_step_is_not_drawn() -> None:
    lever = BRAIN.propose(situation(), 1, 3)[0].application.lever
    found = BRAIN.propose(situation(banned=frozenset({(lever, BASE.id)})), 100, 3)
    assert lever not in {p.application.lever for p in found}


def test_it_has_a_name_and_is_not_the_default() -> None:
    assert brain_of("offline:random", plateau_draft=12).name == "offline:random"
    assert brain_of("offline", plateau_draft=12).name == "offline"
    with pytest.raises(ValueError, match="offline:random"):
        brain_of("offline:luck", plateau_draft=12)
