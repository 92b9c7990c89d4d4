"""Pairs of a kernel with shapes: kept with the times at each, and what is told of them."""

import json
import math

import pytest

from app.screens.judge_text import page
from app.text import shapes_text
from app.verdict.told import verdict, verdict_text
from kernels.device.combine import check_of, pair_of
from kernels.device.report import CheckReport
from kernels.judge.anchored import anchored
from kernels.values.reading import Pair, Reading
from kernels.values.shapes import Shape, shares
from kernels.values.verdict import Verdict
from store import ledger, reads, sql
from store.reads.shape_views import shapes_of_test
from store.shape_views import shapes_json, shapes_of

WEIGHTS = shares([Shape("wide", 3, {"M": 1}), Shape("tall", 1, {"M": 2})])


def reading(ns: float) -> Reading:
    return Reading(ns, 8, ns, ns)


def pair(jitter: float = 1.0, redo: str = "") -> Pair:
    """Half the time at `wide`, a quarter more at `tall`."""
    wide = Pair(reading(2000.0 * jitter), reading(1000.0), "head", 30.0, 30.0, "slow", redo)
    tall = Pair(reading(400.0), reading(500.0), "head", 30.0, 30.0, "slow")
    return pair_of({"wide": wide, "tall": tall}, WEIGHTS)


def test_a_pair_of_shapes_is_their_weighted_geometric_mean() -> None:
    one = pair()
    assert one.head.ns == pytest.approx(2000**0.75 * 400**0.25)
    assert one.log_ratio == pytest.approx(0.75 * math.log(2) + 0.25 * math.log(0.8))
    assert one.shape_ratios == pytest.approx({"wide": math.log(2), "tall": math.log(0.8)})
    assert (one.head.calls, one.probe_before_gbs, one.mode) == (16, pytest.approx(30.0), "slow")
    assert pair(redo="the mode changed").redo_reason == "wide: the mode changed"


def test_what_cannot_be_read_at_one_shape_is_no_pair() -> None:
    wide = Pair(reading(2000.0), reading(math.nan), "head", environment={"quarantine": "candidate: below_floor"})
    tall = Pair(reading(400.0), reading(500.0), "head", environment={"quarantine": ""})
    made = pair_of({"wide": wide, "tall": tall}, WEIGHTS)
    assert not made.valid
    assert made.environment == {"quarantine": "wide: candidate: below_floor"}
    assert made.shape_ratios == pytest.approx({"tall": math.log(0.8)})


def test_the_times_at_each_shape_are_kept_and_told(world) -> None:
    test = world.test_of(world.variant("v"))
    for jitter, redo in ((1.0, ""), (1.1, ""), (50.0, "the mode changed"), (0.9, "")):
        world.write(lambda s, j=jitter, r=redo: ledger.add_pair(s, test, pair(j, r), score=1.0))
    view = world.read(lambda s: reads.test(s, test))
    assert view.pairs[0].head_shapes == {"wide": 2000.0, "tall": 400.0}
    assert "shapes" not in view.pairs[0].head_reading
    found = world.read(lambda s: shapes_of_test(s, test))
    assert found == shapes_of(view.pairs)
    assert [(one.name, one.old_ns, one.new_ns, one.pairs) for one in found] == [
        ("wide", 2000.0, 1000.0, 3), ("tall", 400.0, 500.0, 3)
    ]  # fmt: skip
    assert found[0].speedup == pytest.approx(2.0, rel=0.02)
    assert found[1].speedup == pytest.approx(0.8)
    assert shapes_json(found)["tall"]["ratio"] == pytest.approx(0.8)
    world.write(lambda s: ledger.finish_test(s, test, Verdict.FASTER, score=2.2))
    told = verdict([world.read(lambda s: reads.test(s, test))])
    assert list(told["shapes"]) == ["wide", "tall"]
    assert "at tall 0.800x" in verdict_text(told)
    assert json.loads(json.dumps(told["shapes"])) == told["shapes"]


def test_a_shape_that_got_slower_is_called_so(world) -> None:
    test = world.test_of(world.variant("v"))
    for jitter in (1.0, 1.02, 0.98, 1.01, 0.99, 1.03, 0.97, 1.0):
        world.write(lambda s, j=jitter: ledger.add_pair(s, test, pair(j), score=1.0))
    text = shapes_text(world.read(lambda s: shapes_of_test(s, test)))
    assert text == "wide 2.00x (1.96..2.04), tall 0.80x (0.80..0.80) slower"
    lines = page(world.read(lambda s: reads.test(s, test)), None, 0.0, 60)
    told = [(text, tone) for line in lines for text, tone in line if text.startswith("at ")]
    assert told == [("at wide: 2.00x (1.96..2.04)", ""), ("at tall: 0.80x (0.80..0.80) slower", "warn")]


def test_a_pair_of_a_kernel_of_one_shape_is_kept_as_ever(world) -> None:
    test = world.test_of(world.variant("v"))
    one = Pair(reading(1000.0), reading(900.0), "head")
    world.write(lambda s: ledger.add_pair(s, test, one, score=1.0))
    kept = world.read(lambda s: sql.scalar(s, "SELECT head_reading FROM pair"))
    assert set(json.loads(kept)) == {"ns", "calls", "minimum_ns", "maximum_ns", "own_ns"}
    assert world.read(lambda s: shapes_of_test(s, test)) == ()
    assert "shapes" not in verdict([world.read(lambda s: reads.test(s, test))])


def test_the_score_is_a_half_at_the_baseline_and_one_at_the_peak() -> None:
    assert anchored(1.0, 16.0) == 0.5
    assert anchored(16.0, 1.0) == 1.0
    assert anchored(4.0, 4.0) == pytest.approx(0.75)  # half of the way, as a factor
    assert anchored(0.25, 64.0) == pytest.approx(0.25)
    assert anchored(32.0, 0.5) == pytest.approx(1.125)  # the peak is no bound
    assert anchored(1.0, 0.9) is None
    assert anchored(None, 2.0) is None


def test_a_check_of_which_one_shape_made_no_call_has_no_mean() -> None:
    reports = {
        "wide": CheckReport(True, facts={"median_ns": 400.0, "calls": 8, "slots": 3}, findings=("slow",)),
        "tall": CheckReport(True, facts={"median_ns": 0.0, "calls": 0, "slots": 9}),
    }
    made = check_of(reports, WEIGHTS)
    assert (made.ok, made.facts["median_ns"], made.facts["calls"]) == (True, 400.0, 8)
    assert made.findings == ("wide: slow",)
    assert made.facts["shapes"]["tall"] == {"ok": True, "median_ns": 0.0, "calls": 0, "slots": 9}
    failed = {**reports, "tall": CheckReport(False, "wrong_values", "shape tall: y", {"calls": 2})}
    assert (check_of(failed, WEIGHTS).kind, check_of(failed, WEIGHTS).facts["calls"]) == ("wrong_values", 10)
