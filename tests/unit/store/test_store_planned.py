"""Planned against real: the plan of gate `estimate`, the measurement of a test or of gate `batch`."""

import math
from typing import Any

import pytest

from kernels.profiling.agreement import NEEDED
from kernels.values.reading import Pair, Reading
from kernels.values.verdict import GateReport, GateState, Outcome, Verdict
from store import campaigns, designs, ledger, planned, reads, sql
from tests.unit.store.conftest import World

MODEL = "llvm-mca 1.0, model abacus"


def plan(planned_ns: float, head_planned_ns: float | None = 1000.0, wall: str = "", model: str = MODEL) -> GateReport:
    facts: dict[str, Any] = {"planned_ns": planned_ns, "head_ns": 2000.0, "model": model, "wall": wall}
    facts |= {} if head_planned_ns is None else {"head_planned_ns": head_planned_ns}
    return GateReport("estimate", GateState.SKIPPED, "skipped", "not calibrated yet", facts=facts)


def planned_node(world: World, name: str, report: GateReport | None) -> int:
    node = world.variant(name)

    def rows(s) -> None:
        designs.set_node(s, node, under_parent=world.baseline)
        if report is not None:
            designs.add_gate_report(s, node, report)

    world.write(rows)
    return node


def measured(
    world: World, node: int, times: list[tuple[float, float]], redone: tuple[float, float] | None = None
) -> None:
    """(head, candidate) nanoseconds of each pair."""
    test = world.test_of(node)

    def rows(s) -> None:
        for head, candidate in times:
            one = Pair(Reading(head, 8, head, head), Reading(candidate, 8, candidate, candidate), "head")
            ledger.add_pair(s, test, one)
        if redone is not None:
            one = Pair(Reading(redone[0], 8, 1, 1), Reading(redone[1], 8, 1, 1), "head", redo_reason="mode")
            ledger.add_pair(s, test, one)
        ledger.finish_test(s, test, Verdict.SLOWER)
        designs.finish_node(s, node, Outcome.REVERT, Verdict.SLOWER)

    world.write(rows)


def points(world: World):
    return world.read(lambda s: planned.points(s, world.campaign, "ffn"))


def view(world: World):
    return world.read(lambda s: reads.device(s, world.campaign, "ffn")).planned


def test_a_plan_and_the_medians_of_its_pairs_make_a_point(world: World) -> None:
    node = planned_node(world, "one", plan(1500.0))
    assert points(world) == ()
    measured(world, node, [(2000.0, 3000.0), (2000.0, 3200.0), (2000.0, 3400.0)], redone=(1.0, 90000.0))
    (point,) = points(world)
    assert (point.planned_ns, point.real_ns, point.head_planned_ns) == (1500.0, 3200.0, 1000.0)
    assert point.real_ratio == pytest.approx(1.6)
    assert point.error == pytest.approx(math.log(1.6 / 1.5))


def test_alone_a_campaign_sees_no_points_of_others(world: World) -> None:
    measured(world, planned_node(world, "one", plan(1500.0)), [(2000.0, 3000.0)] * 3)

    def another(s) -> int:
        return campaigns.create(
            s, pack="demo", pack_digest="digest", target="cpu-c", fingerprint="print", kernels=["ffn", "qkv"]
        )

    other = world.write(another)
    assert len(world.read(lambda s: planned.points(s, other, "ffn"))) == 1
    assert world.read(lambda s: planned.points(s, other, "ffn", alone=True)) == ()
    assert len(world.read(lambda s: planned.points(s, world.campaign, "ffn", alone=True))) == 1


def test_who_left_at_batch_counts_by_the_pairs_there(world: World) -> None:
    node = planned_node(world, "one", plan(1500.0))
    ratios = [math.log(1 / 1.2), math.log(1 / 1.5), math.log(1 / 1.4)]
    batch = GateReport("batch", GateState.REFUSED, "slower", "slower", facts={"log_ratios": ratios})
    world.write(lambda s: designs.add_gate_report(s, node, batch))
    (point,) = points(world)
    assert (point.real_ratio, point.real_ns) == (pytest.approx(1.4), pytest.approx(2800.0))


def test_what_has_no_plan_or_no_measurement_is_no_point(world: World) -> None:
    planned_node(world, "not measured", plan(1500.0))
    measured(world, planned_node(world, "not planned", None), [(2000.0, 3000.0)])
    nothing = GateReport("estimate", GateState.SKIPPED, "skipped", "no hot loop")
    measured(world, planned_node(world, "no hot loop", nothing), [(2000.0, 3000.0)])
    assert points(world) == ()
    assert view(world).text == "static estimate: no planned candidate was measured yet"


def test_a_fold_is_no_point(world: World) -> None:
    node = planned_node(world, "one", plan(1500.0))
    measured(world, node, [(2000.0, 3000.0)])
    world.write(lambda s: sql.run(s, "UPDATE node SET tainted = 1, taint = 'a fold' WHERE id = :node", node=node))
    assert points(world) == ()


def test_a_plan_without_the_heads_shows_but_binds_no_filter(world: World) -> None:
    measured(world, planned_node(world, "one", plan(1500.0, None)), [(2000.0, 3000.0)])
    measured(world, planned_node(world, "two", plan(1500.0, wall="the head is there")), [(2000.0, 3000.0)])
    found = view(world)
    assert (found.agreement.n, found.at_the_wall, found.points) == (1, 1, 0)
    assert found.filter_text == (
        "its gate only records: not calibrated yet, 0 of 19 plans measured; 1 more at the wall, where plans say nothing"
    )


def test_where_all_is_at_the_wall_nothing_is_told_of_plans(world: World) -> None:
    measured(world, planned_node(world, "one", plan(1500.0, wall="the head is there")), [(2000.0, 3000.0)])
    assert view(world).text == "static estimate: no planned candidate was measured off the wall yet"


def test_enough_points_say_what_to_trust_and_what_is_refused(world: World) -> None:
    for i in range(NEEDED):
        ns = 1000.0 + 100.0 * i
        measured(world, planned_node(world, f"v{i}", plan(ns)), [(2000.0, 2 * ns)])
    found = view(world)
    assert found.text == (
        "static estimate: n 19, median ratio 2.00, rank correlation 1.00: trust it for order, not for time"
    )
    assert found.filter_text == "its gate goes up to 1.30 x the head's plan, by 19 plans"
    trust = world.read(lambda s: reads.trust(s, world.campaign))
    said = trust["device"]["ffn"]["static_estimate"]
    assert (said["text"], said["points"], said["tolerance"]) == (found.text, NEEDED, 1.3)
    summary = world.read(lambda s: reads.summary(s, world.campaign))
    assert summary["static_estimates"]["ffn"] == found.text


def test_plans_of_another_model_do_not_count(world: World) -> None:
    measured(world, planned_node(world, "old", plan(9000.0, model="llvm-mca 0.1, model abacus")), [(2000.0, 3000.0)])
    measured(world, planned_node(world, "new", plan(1500.0)), [(2000.0, 3000.0)])
    assert len(points(world)) == 2
    found = view(world)
    assert (found.agreement.n, found.agreement.ratio) == (1, 2.0)
