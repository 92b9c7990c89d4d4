"""Whose turn it is, and what a search took: pure counting."""

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.bench.search import shim, told
from app.bench.search.counting import Point, reached, spread, target_of
from app.bench.search.final import TWIN, Scored
from app.bench.search.lane import BUDGET, Lane
from app.bench.search.plan import turns

BASE = "base"


def test_every_search_gets_one_turn_a_round_in_a_seeded_order() -> None:
    spent = dict.fromkeys("abcdef", 3)
    rounds = [turns(spent, number, 7) for number in range(3, 20)]
    assert all(sorted(order) == list("abcdef") for order in rounds)
    assert rounds == [turns(spent, number, 7) for number in range(3, 20)]
    assert len({tuple(order) for order in rounds}) > 10
    assert rounds != [turns(spent, number, 8) for number in range(3, 20)]


def test_a_search_that_is_ahead_waits_for_the_others() -> None:
    assert turns({"raced": 6, "other": 1}, 1, 0) == ["other"]
    assert sorted(turns({"raced": 6, "other": 6}, 6, 0)) == ["other", "raced"]
    assert turns({"raced": 9, "other": 7}, 3, 0) == ["other"], "all are ahead of the round: nobody is idle"
    assert turns({}, 3, 0) == []


def test_a_known_sequence_gives_known_candidates_to_the_target() -> None:
    points = [Point(0, 0.0, BASE), Point(1, 4.0, "a"), Point(2, 5.5, "a"), Point(8, 20.0, "b"), Point(9, 21.0, "c")]
    scores = {BASE: 1.0, "a": 3.0, "b": 9.1, "c": 9.6}
    target = target_of([9.6, 10.0, None])
    assert target == pytest.approx(9.0)
    assert reached(points, scores, 9.0) == Point(8, 20.0, "b")
    assert reached(points, scores, 2.0) == Point(1, 4.0, "a")
    assert reached(points, scores, 9.7) is None
    assert reached(points, {**scores, "b": None}, 9.0) == Point(9, 21.0, "c"), "a head that failed reaches nothing"


def test_a_run_that_never_reached_it_counts_as_endless() -> None:
    assert spread([4, None, 6]) == {"median": 6, "low": 4, "high": None}
    assert spread([None, None, 6]) == {"median": None, "low": 6, "high": None}
    assert spread([2, 3]) == {"median": 2.5, "low": 2, "high": 3}


def lane(policy: str, seed: int, *points: tuple[int, float, str], ended: str = BUDGET) -> Lane:
    made = [Point(0, 0.0, BASE), *(Point(*p) for p in points)]
    return cast(Lane, SimpleNamespace(policy=policy, seed=seed, points=made, ended=ended))


def scored(speedup: float) -> Scored:
    return Scored(ratios=[math.log(speedup)] * 8)


def found_of(lanes: list[Lane], *, has_tuner: bool) -> dict[str, Any]:
    block = {"fast": scored(10.0), "near": scored(9.2), "slow": scored(2.0), TWIN: scored(1.0)}
    block["wrong"] = Scored("wrong_values: y", [0.1] * 8)
    facts = {
        "kernel": "p/k", "device": "d", "budget": 9, "seeds": [1, 2], "space": None, "kernel_tuner": "1.5.0",
        "waited_seconds": 0.0, "wall_seconds": 1.0, "kept": "here", "problem": "",
    }  # fmt: skip
    return facts | told.results(lanes, block, BASE, has_tuner=has_tuner)


def test_rows_say_what_each_policy_took_and_the_best_strategy_is_named() -> None:
    found = found_of(
        [
            lane("offline", 1, (1, 5.0, "near"), (9, 30.0, "fast")), lane("offline", 2, (3, 9.0, "near")),
            lane("bayes_opt", 1, (2, 8.0, "slow")), lane("bayes_opt", 2, (9, 40.0, "near")),
            lane("diff_evo", 1, (4, 8.0, "fast")), lane("diff_evo", 2, (6, 9.0, "fast"), ended="it asked nothing"),
        ],
        has_tuner=True,
    )  # fmt: skip
    rows = {row["policy"]: row for row in found["policies"]}
    assert found["target"] == pytest.approx(9.0)
    assert rows["offline"]["candidates"] == {"median": 2, "low": 1, "high": 3}
    assert rows["offline"]["device_seconds"] == {"median": 7.0, "low": 5.0, "high": 9.0}
    assert (rows["bayes_opt"]["reached"], rows["bayes_opt"]["candidates"]["median"]) == (1, None)
    assert found["best_of_kernel_tuner"] == "diff_evo"
    said = told.text(found)
    assert "Kernel Tuner diff_evo (its best)  5 (4 .. 6)" in said
    assert "! diff_evo, seed 2: ended after 6 candidates: it asked nothing" in said


def test_without_kernel_tuner_its_row_says_how_to_get_it() -> None:
    found = found_of([lane("offline", 1, (1, 5.0, "fast"))], has_tuner=False)
    assert found["best_of_kernel_tuner"] == shim.MISSING
    row = next(line for line in told.text(found).splitlines() if line.startswith("Kernel Tuner"))
    assert "not installed: pip install kernel-tuner" in row


def test_a_head_that_proves_wrong_in_the_final_block_scores_nothing() -> None:
    found = found_of([lane("offline", 1, (1, 5.0, "wrong"))], has_tuner=False)
    assert (found["target"], found["runs"][0]["final"], found["runs"][0]["reached"]) == (None, None, None)
    assert "! offline policy, seed 1: its head failed in the final block: wrong_values: y" in told.text(found)


def test_an_interpreter_without_it_is_told_from_one_that_has_it(tmp_path: Path) -> None:
    assert shim.version_of(str(tmp_path / "no-python")) == ""
    assert shim.version_of("/bin/false") == ""


def test_a_search_that_found_nothing_says_so_and_so_does_a_block_that_was_not_taken() -> None:
    found = found_of([lane("offline", 1, (4, 5.0, BASE))], has_tuner=False)
    assert found["runs"][0]["reached"] == {"candidates": 0, "device_seconds": 0.0}
    assert "nobody found more than the baseline has" in told.text(found)
    none = found | told.results([lane("offline", 1, (1, 5.0, "fast"))], {}, BASE, has_tuner=False)
    assert none["target"] is None
    assert "no final block, so no scores: gone" in told.text(none | {"problem": "gone"})
