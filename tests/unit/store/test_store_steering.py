"""Messages and approvals: who, when, what came of it; nothing is left open silently."""

import pytest

from kernels.values.reading import Estimate
from store import approvals, designs, messages, reads
from store.approvals import Evidence
from store.errors import StoreError
from tests.unit.store.conftest import GAIN, World

FOUND = Evidence(None, GAIN, Estimate(0.05, 0.04, 0.06), 800.0, "still")


def test_a_message_is_read_once_by_whom_it_is_for_and_answered(world: World) -> None:
    number = world.write(lambda s: messages.add(s, world.campaign, actor="ann@cli", recipient="ffn", text="try rows\n"))
    assert world.write(lambda s: messages.take(s, world.campaign, {"worker", "qkv"}, "worker-01")) == []
    (taken,) = world.write(lambda s: messages.take(s, world.campaign, {"worker", "ffn"}, "worker-01"))
    assert (taken.id, taken.text, taken.state, taken.reader) == (number, "try rows", "read", "worker-01")
    assert world.write(lambda s: messages.take(s, world.campaign, {"ffn"}, "worker-02")) == []
    world.write(lambda s: messages.answer(s, number, "worker-01", "rows were slower"))
    (row,) = world.read(lambda s: messages.listing(s, world.campaign))
    assert (row.state, row.answer, row.answered_by) == ("answered", "rows were slower", "worker-01")
    assert row.at <= (row.read_at or 0.0) <= (row.answered_at or 0.0)
    said = [e.text for e in world.read(lambda s: reads.events(s, world.campaign)) if e.kind == "message"]
    assert said == [
        "ann@cli to ffn: try rows", "worker-01 reads message 1", "worker-01 to ann@cli, message 1: rows were slower"
    ]  # fmt: skip
    with pytest.raises(StoreError, match="it is answered"):
        world.write(lambda s: messages.answer(s, number, "worker-01", "again"))


def test_what_nobody_answered_is_said_at_the_end(world: World) -> None:
    world.write(lambda s: messages.add(s, world.campaign, actor="ann", recipient="all", text="hello"))
    assert world.write(lambda s: messages.close_unanswered(s, world.campaign, "the campaign ended")) == 1
    (row,) = world.read(lambda s: messages.listing(s, world.campaign))
    assert (row.state, row.answer) == ("closed", "the campaign ended")
    attention = world.read(lambda s: reads.overview(s, world.campaign)).attention
    assert any("message 1 of ann to all is not answered" in line for line in attention)
    with pytest.raises(StoreError, match="no words"):
        world.write(lambda s: messages.add(s, world.campaign, actor="ann", recipient="all", text=" \n"))


def test_an_approval_waits_with_its_evidence_and_is_decided_once(world: World) -> None:
    node = world.variant("one\n")
    world.write(lambda s: approvals.ask(s, node, world.baseline, FOUND))
    (one,) = world.read(lambda s: approvals.pending(s, world.campaign))
    assert (one.node, one.kernel, one.head, one.evidence) == (node, "ffn", world.baseline, FOUND)
    assert one.evidence.text == "+5.0 % (+4.0..+6.0) by fresh pairs"
    world.write(lambda s: approvals.decide(s, world.campaign, node, "approved", "ann@cli"))
    (decided,) = world.read(lambda s: approvals.listing(s, world.campaign))
    assert (decided.state, decided.actor) == ("approved", "ann@cli")
    assert decided.decided_at is not None
    with pytest.raises(StoreError, match=r"does not wait for a decision\. These nodes do: none"):
        world.write(lambda s: approvals.decide(s, world.campaign, node, "vetoed", "ann@cli"))


def test_a_veto_binds_the_content_and_its_machine_code(world: World) -> None:
    node = world.variant("one\n")
    candidate, twin = world.candidate("one\n"), world.candidate("one, spelled in another way\n")
    for identity in (candidate, twin):
        world.write(lambda s, i=identity: designs.set_machine_code(s, i, "code"))
    world.write(lambda s: approvals.ask(s, node, world.baseline, FOUND))
    assert world.read(lambda s: approvals.veto_on(s, world.campaign, candidate=candidate)) == ""
    world.write(lambda s: approvals.decide(s, world.campaign, node, "vetoed", "ann@cli"))
    told = f"vetoed by ann@cli as node {node}"
    assert world.read(lambda s: approvals.veto_on(s, world.campaign, candidate=candidate)) == told
    assert world.read(lambda s: approvals.veto_on(s, world.campaign, candidate=twin)) == ""
    assert world.read(lambda s: approvals.veto_on(s, world.campaign, candidate=twin, machine_code="code")) == told


def test_what_still_waits_at_the_end_expires_and_is_said(world: World) -> None:
    node = world.variant("one\n")
    approved = world.variant("two\n")
    for one in (node, approved):
        world.write(lambda s, n=one: approvals.ask(s, n, world.baseline, FOUND))
    world.write(lambda s: approvals.decide(s, world.campaign, approved, "approved", "ann"))
    assert world.write(lambda s: approvals.expire(s, world.campaign)) == 2
    assert world.read(lambda s: approvals.pending(s, world.campaign)) == []
    attention = world.read(lambda s: reads.overview(s, world.campaign)).attention
    assert any(f"node {node} was not promoted: the campaign ended" in line for line in attention)
