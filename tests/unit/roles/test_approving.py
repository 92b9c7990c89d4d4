"""A promotion that waits for a person: nothing else stops, the evidence is kept, the word binds."""

import asyncio
import json
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernels.device.report import DeviceUnhealthy
from kernels.values.candidate import Candidate
from kernels.values.verdict import Outcome
from roles.approving import Approving, waits_for
from roles.operator import Refused
from roles.strategist import Strategist
from store import approvals, campaigns, commands, designs, kernel_states, reads
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


SLOW, NEXT = variant("int slow;"), variant("int next;")


def outcomes(rig: Rig, candidate: Candidate) -> list[str]:
    """Of every node of this content."""
    found = rig.read(lambda s: designs.attempts(s, rig.campaign.id, "gemv"))
    return [a.outcome for a in found if a.candidate_id == candidate.id]


def way_is_asked_for(rig: Rig) -> asyncio.Event:
    """Set when an approved one asks for its turn."""
    asked, look_again = asyncio.Event(), rig.campaign.latches.look_again

    async def seen() -> None:
        asked.set()
        await look_again()

    rig.campaign.latches.look_again = seen
    return asked


async def test_what_is_judged_beside_the_old_head_gives_way_and_is_judged_beside_the_new_one(tmp_path: Path) -> None:
    rig, approving = await asking(tmp_path)
    node = (await rig.judge(FAST)).node_id
    words: list[asyncio.Task[str]] = []
    heads: list[tuple[str, str]] = []
    asked, take = way_is_asked_for(rig), rig.device.pair

    async def pair(test: str, first: Any, head_ns: float) -> Any:
        heads.append((rig.state.head.key, rig.device.tests[test][1]))
        if not words:
            words.append(asyncio.create_task(approving.approve(str(node), ANN)))
            await asked.wait()
        return await take(test, first, head_ns)

    rig.device.pair = pair
    await asyncio.gather(rig.judge(SLOW), rig.judge(NEXT))
    assert json.loads(await words[0])["outcome"] == "KEEP"
    beside = {one.id: [head for head, candidate in heads if candidate == one.id] for one in (SLOW, NEXT)}
    assert beside[SLOW.id].count(BASE.id) == 1, "the pair in hand was the last one"
    assert set(beside[SLOW.id][1:]) == {FAST.id}
    assert set(beside[NEXT.id]) == {FAST.id}, "nobody slipped in between"
    assert outcomes(rig, SLOW)[0] == "INVALID"
    assert outcomes(rig, SLOW)[1:] in (["ACCEPT"], ["REVERT"])
    assert rig.device.loaded & {SLOW.id, NEXT.id} == set()


async def test_a_worker_that_is_paused_in_mid_test_gives_way_too(tmp_path: Path) -> None:
    rig, approving = await asking(tmp_path)
    node = (await rig.judge(FAST)).node_id
    latches = rig.campaign.latches
    rig.device.on_pair = lambda candidate: latches._closed.add("worker-01") if candidate == SLOW.id else None
    stands = asyncio.create_task(rig.judge(SLOW))
    await latches.until_waiting(["worker-01"])
    assert json.loads(await approving.approve(str(node), ANN))["outcome"] == "KEEP"
    assert rig.state.head.key == FAST.id
    assert not stands.done()
    rig.device.on_pair = lambda _: None
    await latches.open("worker-01")
    assert (await stands).outcome in (Outcome.ACCEPT, Outcome.REVERT)


async def test_what_an_approved_one_waits_for_is_said_at_once(tmp_path: Path) -> None:
    rig, approving = await asking(tmp_path)
    node, store = (await rig.judge(FAST)).node_id, rig.campaign.store
    command = await store.write(lambda s: commands.enqueue(s, "ann@cli", "approve", str(node)))
    await store.write(commands.take_next)
    async with rig.state.lock:
        await store.write(lambda s: kernel_states.update(s, 1, "gemv", status="racing 21 variants of matvec"))
        asked = way_is_asked_for(rig)
        word = asyncio.create_task(approving.approve(str(node), {**ANN, "command": command}))
        await asked.wait()
        said = rig.read(lambda s: commands.get(s, command)).result
    step = "racing 21 variants of matvec"
    assert said == f"it is promoted after the step in hand of gemv: {step}, which gives way and is tried again"
    assert json.loads(await word)["outcome"] == "KEEP"
    events = rig.read(lambda s: reads.events(s, rig.campaign.id))
    assert [e.text for e in events if e.kind == "command"][-1] == f"approve {node}: {said}"


@pytest.mark.parametrize(
    ("closed", "locked", "moved", "status", "said"),
    [
        ("", False, False, "idle", ""),
        ("gemv", False, False, "idle", "gemv is paused: it goes on with node {node} once it is resumed"),
        ("all", True, False, "testing x", "gemv is paused: it goes on with node {node} once it is resumed"),
        ("", True, False, "idle", "it is promoted after the measurement on gemv (ledger, audit, profile or placebo)"),
        ("", True, True, "testing x", "the head has moved since: it is judged again, next after gemv: testing x"),
    ],
)  # fmt: skip
async def test_every_reason_to_wait_has_words(
    tmp_path: Path, closed: str, locked: bool, moved: bool, status: str, said: str
) -> None:
    rig, _ = await asking(tmp_path)
    node = (await rig.judge(FAST)).node_id
    (one,) = waiting(rig)
    if closed:
        await rig.campaign.latches.close(closed)
    async with rig.state.lock if locked else nullcontext():
        found = waits_for(rig.campaign, replace(one, head="another") if moved else one, status)
    assert found == said.format(node=node)


async def test_a_campaign_without_ideas_does_not_end_while_a_person_is_asked(tmp_path: Path) -> None:
    rig, approving = await asking(tmp_path)
    campaign, strategist = rig.campaign, Strategist(rig.campaign)
    first, second = [(await rig.judge(c)).node_id for c in (FAST, FASTER)]
    rig.state.exhausted = True
    for _ in range(2):
        await strategist.turn()
    assert not campaign.stop.is_set()
    said = [e.text for e in rig.read(lambda s: reads.events(s, campaign.id)) if e.kind == "attention"]
    assert said == [f"no idea is left under these heads: the campaign goes on with your word on node {first}, {second}"]
    await approving.veto(str(first), ANN)
    await strategist.turn()
    assert [e.kind for e in rig.read(lambda s: reads.events(s, campaign.id))].count("attention") == 1, (
        "no new one waits"
    )
    asked, ran = way_is_asked_for(rig), asyncio.create_task(approving.approve(str(second), ANN))
    await asked.wait()
    await strategist.turn()
    assert not campaign.stop.is_set(), "its promotion is under way"
    await ran
    assert not rig.state.exhausted
    rig.state.exhausted = True
    await strategist.turn()
    assert campaign.stop_reason == "no kernel has an idea left"


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
