"""A promotion that waits for a person: nothing else stops, the evidence is kept, the word binds."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernels.device.report import DeviceUnhealthy
from kernels.values.verdict import Outcome
from roles.approving import Approving
from roles.operator import Refused
from store import approvals, campaigns, designs, reads
from tests.unit.roles.pipeline_rig import BASE, Rig, make_rig, variant

ANN = {"actor": "ann@cli"}
FAST, FASTER = variant("int fast;"), variant("int faster;")


async def asking(home: Path) -> tuple[Rig, Approving]:
    """Two candidates that are faster than the baseline."""
    rig = await make_rig(home)
    rig.campaign.policy = replace(rig.campaign.policy, approve=True)
    rig.device.ratio = {FAST.id: 1.5, FASTER.id: 2.0}
    return rig, Approving(rig.campaign, rig.pipeline)


def waiting(rig: Rig) -> list[approvals.Waiting]:
    return rig.campaign.store.read_sync(lambda s: approvals.pending(s, rig.campaign.id))


def outcome(rig: Rig, node: int) -> str:
    return str(rig.read(lambda s: designs.get_node(s, node)).outcome)


async def test_a_confirmed_candidate_waits_with_its_evidence_and_nothing_else_stops(tmp_path: Path) -> None:
    rig, _ = await asking(tmp_path)
    result = await rig.judge(FAST)
    assert (result.outcome, result.kind, result.reason) == (
        Outcome.ACCEPT, "pending", "confirmed; waits for approval"
    )  # fmt: skip
    assert rig.state.head.key == BASE.id
    (one,) = waiting(rig)
    assert (one.node, one.candidate, one.head) == (result.node_id, FAST.id, BASE.id)
    assert one.evidence.fresh is not None
    assert one.evidence.fresh.gain == pytest.approx(1 / 3, abs=0.001)
    assert (await rig.judge(variant("int slow;"))).outcome in (Outcome.ACCEPT, Outcome.REVERT)
    attention = rig.read(lambda s: reads.overview(s, rig.campaign.id)).attention
    assert any(f"gemv node {one.node} waits for approval" in line for line in attention)


async def test_approved_it_becomes_the_head_on_its_evidence(tmp_path: Path) -> None:
    rig, approving = await asking(tmp_path)
    node, tests = (await rig.judge(FAST)).node_id, len(rig.device.tests)
    said = json.loads(await approving.approve(str(node), ANN))
    assert (said["outcome"], said["node"]) == ("KEEP", node)
    assert rig.state.head.key == FAST.id
    assert outcome(rig, node) == "KEEP"
    assert rig.campaign.finished_attempts == 1
    assert len([t for t in list(rig.device.tests.values())[tests:] if FAST.id == t[1] and t[0] != BASE.id]) == 0
    (row,) = rig.read(lambda s: reads.summary(s, rig.campaign.id))["approvals"]
    assert (row["state"], row["by"]) == ("approved", "ann@cli")
    (filing,) = rig.read(lambda s: reads.filings(s, rig.campaign.id))
    assert filing.gain == pytest.approx(1 / 3, abs=0.001)


async def test_when_the_head_has_moved_it_is_judged_again(tmp_path: Path) -> None:
    rig, approving = await asking(tmp_path)
    first, second = [(await rig.judge(c)).node_id for c in (FAST, FASTER)]
    await approving.approve(str(first), ANN)
    rig.device.ratio[FASTER.id] = 1.3
    said = json.loads(await approving.approve(str(second), ANN))
    assert said["outcome"] == "KEEP"
    assert said["node"] != second
    assert rig.state.head.key == FASTER.id
    assert any(pair == (FAST.id, FASTER.id) for pair in rig.device.tests.values())


async def test_a_veto_binds_the_content(tmp_path: Path) -> None:
    rig, approving = await asking(tmp_path)
    node = (await rig.judge(FAST)).node_id
    assert "vetoed" in await approving.veto(str(node), ANN)
    tests = len(rig.device.tests)
    again = await rig.judge(variant("int fast;"))
    assert again.outcome is Outcome.REJECT
    assert f"vetoed by ann@cli as node {node}" in again.reason
    spelled = await rig.judge(variant("int fast; /* in other words */"))
    assert (spelled.outcome, f"vetoed by ann@cli as node {node}" in spelled.reason) == (Outcome.REJECT, True)
    assert len(rig.device.tests) == tests
    with pytest.raises(Refused, match="does not wait for a decision"):
        await approving.approve(str(node), ANN)
    with pytest.raises(Refused, match="is no number of a node"):
        await approving.approve("gemv", ANN)


async def test_a_device_in_trouble_leaves_it_waiting(tmp_path: Path) -> None:
    rig, approving = await asking(tmp_path)
    node = (await rig.judge(FAST)).node_id

    async def broken(*_: object, **__: object) -> Any:
        raise DeviceUnhealthy("the referee is gone")

    rig.device.load = broken
    with pytest.raises(Refused, match="it waits again: the referee is gone"):
        await approving.approve(str(node), ANN)
    assert [one.node for one in waiting(rig)] == [node]
    assert rig.state.head.key == BASE.id


async def test_an_engine_that_dies_between_word_and_promotion_asks_again(tmp_path: Path) -> None:
    rig, _ = await asking(tmp_path)
    number = rig.campaign.id
    node = (await rig.judge(FAST)).node_id
    await rig.campaign.store.write(lambda s: approvals.decide(s, number, node, "approved", "ann"))
    await rig.campaign.store.write(lambda s: campaigns.reconcile(s, number))
    assert [one.node for one in waiting(rig)] == [node]
