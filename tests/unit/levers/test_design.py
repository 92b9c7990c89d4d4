"""Designs as generators, idea cards, lineages."""

import pytest

from kernels.design.generator import Generator
from kernels.design.idea import IdeaCard, Lineage, NodeKind, lineage_of
from kernels.levers.grid import in_vain, lever_of, open_knobs, turned
from kernels.values.candidate import Candidate

SOURCE = "#define KW_TUNE_A_1 1 /* tune: 1 2 */\n#define KW_TUNE_B_1 0 /* tune: 0 4 8 */\nvoid run(void) {}\n"
OPEN = Generator(Candidate("k", {"kernel.c": SOURCE}))


def test_a_grid_holds_every_variant_once() -> None:
    assert OPEN.size == 6 == len({c.id for c in OPEN.grid()})
    assert OPEN.candidate.id in {c.id for c in OPEN.grid()}


def test_neighbours_differ_in_one_knob() -> None:
    assert sorted((k.name, v) for k, v, _ in OPEN.neighbours()) == [
        ("KW_TUNE_A_1", "2"), ("KW_TUNE_B_1", "4"), ("KW_TUNE_B_1", "8"),
    ]  # fmt: skip


def test_samples_are_distinct_and_repeat() -> None:
    ids = [c.id for c in OPEN.sample(4, seed=5)]
    assert len(set(ids)) == 4 and ids == [c.id for c in OPEN.sample(4, seed=5)]
    assert len(OPEN.sample(50, seed=1)) == 5
    assert OPEN.candidate.id not in {c.id for c in OPEN.sample(50, seed=1)}


def test_only_the_chosen_knobs_are_turned() -> None:
    only = Generator(OPEN.candidate, frozenset({"KW_TUNE_B_1"}))
    assert only.size == 3
    assert all("KW_TUNE_A_1 1 " in c.source for c in only.sample(9, seed=2))


def test_a_lineage_starts_with_an_idea_and_has_its_limit() -> None:
    line = Lineage((), limit=3)
    assert line.refusal("design")
    line = line.extended("idea").extended("design").extended("variant")
    assert "limit" in line.refusal("design")
    assert not Lineage(("idea", "design", "variant")).refusal("design")
    with pytest.raises(ValueError, match="cannot stand"):
        Lineage(("idea",)).extended("variant")


def test_parents_give_the_lineage_and_rings_are_found() -> None:
    kinds: dict[str, NodeKind] = {"a": "idea", "b": "design", "c": "variant"}
    assert lineage_of("c", {"a": None, "b": "a", "c": "b"}, kinds) == ("idea", "design", "variant")
    with pytest.raises(ValueError, match="ring"):
        lineage_of("c", {"a": "c", "b": "a", "c": "b"}, kinds)


def test_an_idea_has_a_title_and_a_possible_gain() -> None:
    with pytest.raises(ValueError, match="title"):
        IdeaCard(" ", "mechanism", 0.1)
    with pytest.raises(ValueError, match="below 1"):
        IdeaCard("x", "mechanism", 1.0)


def test_the_knobs_that_a_lever_leaves_open() -> None:
    base, made = Candidate("k", {"kernel.c": "void run(void) {}\n"}), OPEN.candidate
    assert [k.name for k in open_knobs(base, made, "matvec")] == ["KW_TUNE_A_1", "KW_TUNE_B_1"]
    assert open_knobs(made, made, "restrict") == ()
    assert [k.name for k in open_knobs(made, made, "tune_b")] == ["KW_TUNE_A_1", "KW_TUNE_B_1"]


def test_what_turned_knobs_are_called_and_whether_they_do_anything() -> None:
    off = "#define KW_TUNE_PREFETCH_1 0 /* tune: 0 512 */\n#define KW_TUNE_HINT_1 2 /* tune: 0 1 2 */\n"
    one = Generator(Candidate("k", {"kernel.c": off}))
    hint, both = one.variant(KW_TUNE_HINT_1="1"), one.variant(KW_TUNE_HINT_1="1", KW_TUNE_PREFETCH_1="512")
    assert (in_vain(one.candidate, hint), in_vain(one.candidate, both)) == (True, False)
    assert lever_of(turned(one.candidate, hint)) == "tune_hint"
    assert lever_of(turned(one.candidate, both)) == "tune_any"
