"""The offline brain: seeded, says why, never proposes what was tried, builds on what helped, learns from siblings."""

from dataclasses import replace

import numpy as np
import pytest

from kernels.levers import registry
from kernels.levers.base import Context
from kernels.packs.loader import baseline, load_pack
from kernels.values.machine import Machine
from knowledge.baselines.character import character_of
from knowledge.skills.playbook import playbook
from roles.brains.base import Lesson, Proposal, Situation, Tried
from roles.brains.offline.belief import believe
from roles.brains.offline.policy import OfflineBrain

SPEC = load_pack("axpy_gemv").kernel("gemv")
BASE = baseline(SPEC)
CONTEXT = Context(SPEC, Machine("test", "x86_64", frozenset({"avx2", "fma", "f16c"}), 2))
BRAIN = OfflineBrain()


def situation(**changes: object) -> Situation:
    start = Situation("gemv", CONTEXT, BASE, BASE, 3e6, 4e5, 0)
    return replace(start, **changes)


def tried(proposal: Proposal, outcome: str = "REVERT", gain: float | None = -0.1) -> Tried:
    a = proposal.application
    return Tried(a.lever, a.family, a.params, proposal.candidate.id, outcome, "", proposal.base.id, gain)


def test_the_same_situation_and_seed_give_the_same_proposals() -> None:
    first, again = (BRAIN.propose(situation(), 4, 11) for _ in range(2))
    assert [p.candidate.id for p in first] == [p.candidate.id for p in again]
    assert [p.candidate.id for p in first] != [p.candidate.id for p in BRAIN.propose(situation(), 4, 12)]


def test_every_proposal_says_which_lever_why_and_what_it_expects() -> None:
    for proposal in BRAIN.propose(situation(), 5, 1):
        assert proposal.reason.startswith(proposal.application.lever)
        assert "%" in proposal.prediction
        assert proposal.candidate.id != BASE.id


def test_what_was_tried_or_is_in_flight_is_not_proposed_again() -> None:
    first = BRAIN.propose(situation(), 6, 3)
    known = [tried(p) for p in first[:3]]
    flying = frozenset(p.candidate.id for p in first[3:])
    later = BRAIN.propose(situation(tried=known, in_flight=flying), 6, 3)
    assert not {p.candidate.id for p in later} & {p.candidate.id for p in first}


def test_a_step_that_a_fold_came_in_with_is_not_taken_again_from_there() -> None:
    lever = BRAIN.propose(situation(), 1, 3)[0].application.lever
    from_here = BRAIN.propose(situation(banned=frozenset({(lever, BASE.id)})), 50, 3)
    assert from_here
    assert lever not in {p.application.lever for p in from_here}
    assert lever in {p.application.lever for p in BRAIN.propose(situation(banned=frozenset({(lever, "other")})), 50, 3)}


def test_it_ends_when_there_is_no_idea_left() -> None:
    every = [registry.apply(BASE, a, CONTEXT) for a in registry.applications(BASE, CONTEXT)]
    known = [Tried("x", "flags", {}, c.id, "REVERT", "", BASE.id, None) for c in every]
    assert BRAIN.propose(situation(tried=known), 5, 1) == []


def test_without_drafting_a_plateau_brings_no_other_design_first() -> None:
    spec = load_pack("gemma_decode").kernel("attn_out")  # it has two designs
    start = situation(context=Context(spec, CONTEXT.machine), baseline=baseline(spec), head=baseline(spec))
    first = next(p for p in BRAIN.propose(start, 9, 3) if p.kind == "design")
    stuck = replace(start, head=first.candidate, plateau=40, tried=[tried(first, "KEEP", 0.5)])
    assert {p.kind for p in BRAIN.propose(stuck, 50, 5)} == {"design"}
    never = OfflineBrain(plateau_draft=0)
    assert never.propose(stuck, 5, 5) == OfflineBrain(plateau_draft=41).propose(stuck, 5, 5)
    assert {p.kind for p in never.propose(stuck, 50, 5)} == {"design", "variant"}


def test_levers_are_combined_because_each_starts_from_the_head() -> None:
    structural = next(p for p in BRAIN.propose(situation(), 9, 2) if p.application.family in ("sketch", "structure"))
    head = structural.candidate
    variants = [p for p in BRAIN.propose(situation(head=head), 9, 2) if p.kind == "variant"]
    assert variants
    assert all(p.base.id == head.id for p in variants)


@pytest.mark.parametrize(("kind", "sign"), [("win", 1), ("trap", -1)])
def test_a_lesson_of_a_sibling_moves_the_belief(kind: str, sign: int) -> None:
    lesson = Lesson(kind, "axpy", "threads", "threads", 0.4)
    without = believe("threads", "structure", [], [], 1.0, np.random.default_rng(0))
    told = believe("threads", "structure", [], [lesson] * 3, 1.0, np.random.default_rng(0))
    assert (told.mean_chance - without.mean_chance) * sign > 0
    assert "axpy" in told.evidence


def test_what_compiled_to_nothing_new_is_believed_less_under_the_next_design_too() -> None:
    """An attempt that expired says nothing, but one that the compiler had made by itself does, if less than a new."""
    old = Tried("restrict", "structure", {}, "c", "REJECT", "", "h", None, expired=True)
    chances = [
        believe("restrict", "structure", tried, [], 1.0, np.random.default_rng(0)).mean_chance
        for tried in ([], [old], [replace(old, idle=True)], [replace(old, idle=True, expired=False)])
    ]
    assert chances[0] == chances[1] > chances[2] > chances[3]
    told = believe("restrict", "structure", [replace(old, idle=True)] * 3, [], 1.0, np.random.default_rng(0))
    assert told.evidence == "changed no machine code 3 times before"


def test_skills_move_the_belief_and_say_so() -> None:
    skills = playbook().eligible(character_of(BASE, SPEC), SPEC, "cpu-c")
    levers = {"accumulators": 1, "split_loop": -1, "inline_calls": 1, "flag_O2": 0}
    for lever, sign in levers.items():
        without = believe(lever, "structure", [], [], 1.0, np.random.default_rng(0))
        told = believe(lever, "structure", [], [], 1.0, np.random.default_rng(0), skills=skills)
        assert np.sign(round(told.mean_chance - without.mean_chance, 9)) == sign
        assert ("skill" in told.evidence) == (sign != 0)


def test_other_proposals_come_with_skills_and_without_any_knowledge() -> None:
    skills = playbook().eligible(character_of(BASE, SPEC), SPEC, "cpu-c")
    with_skills, plain, nothing = (
        [p.application.lever for seed in range(6) for p in BRAIN.propose(situation(**changes), 3, seed)]
        for changes in ({"skills": skills}, {}, {"priors": False})
    )
    assert with_skills != plain != nothing
    advised = [sum(any(s.speaks_for(lever) for s in skills) for lever in one) for one in (with_skills, plain, nothing)]
    assert advised[0] >= advised[1] > advised[2]


def test_without_priors_every_untried_lever_is_believed_alike() -> None:
    made = {
        believe(lever, family, [], [], 1.0, np.random.default_rng(0), priors=False)
        for lever, family in (("accumulators", "structure"), ("prefetch", "structure"), ("x", "sketch"), ("y", "flags"))
    }
    assert len(made) == 1


def test_near_the_peak_little_is_expected() -> None:
    far, near = (believe("t", "sketch", [], [], room, np.random.default_rng(0)) for room in (0.8, 0.01))
    assert near.gain <= 0.01 < far.gain
