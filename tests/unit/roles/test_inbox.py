"""A person's words reach whom they are for: a model's next prompt, or code that says what it could do with them."""

import asyncio
from pathlib import Path

import pytest

from roles.inbox import Inbox
from roles.operator import Refused
from roles.orders import Orders, orders_in, recipient_in
from roles.situations import situation_of
from store import agents, commands, messages, reads
from store.messages import MessageView
from tests.unit.roles.model_rig import Desk, make_desk, uses
from tests.unit.roles.pipeline_rig import Rig, make_rig

ANN = {"actor": "ann@cli"}
SOURCE = "void gemv(const float *W) {\n}\n"
FINISH = ("finish", {"summary": "done here"})
LOOK = ("read_contract", {})


def kept(rig: Rig) -> list[MessageView]:
    return rig.campaign.store.read_sync(lambda s: messages.listing(s, rig.campaign.id))


def reply(number: int, text: str) -> tuple[str, dict[str, object]]:
    return "answer_operator", {"message": number, "text": text}


async def test_a_model_finds_it_in_its_next_request_and_answers(tmp_path: Path) -> None:
    desk: Desk = await make_desk(
        tmp_path, [uses(LOOK), uses(reply(1, "I try eight rows"), reply(9, "x")), uses(FINISH)]
    )
    said = await Inbox(desk.rig.campaign).command("gemv", {**ANN, "text": "try eight rows"})
    assert said == "message 1 to gemv: it stands in the next prompt of worker"
    await desk.serve()
    assert "Message 1 from the operator, ann@cli:\ntry eight rows" in desk.told[1]
    assert "answer_operator" in [tool.name for tool in desk.wire.asked[0].tools]
    (one,) = kept(desk.rig)
    assert (one.state, one.reader, one.answer) == ("answered", "worker-01", "I try eight rows")
    assert one.answered_by == "worker-01 (scripted:s)"
    assert desk.results[1:3] == [
        ("message 1 is answered", False), ("error: answer message 9: there is none. List them with `task`", True)
    ]  # fmt: skip
    feed = desk.rig.read(lambda s: reads.events(s, desk.rig.campaign.id))
    assert any("worker-01 (scripted:s) to ann@cli, message 1: I try eight rows" in e.text for e in feed)


async def test_what_a_model_read_and_did_not_answer_is_said(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path, [uses(FINISH)])
    await Inbox(desk.rig.campaign).command("worker-01", {**ANN, "text": "why so slow?"})
    await desk.serve()
    (one,) = kept(desk.rig)
    assert (one.state, one.answer) == ("closed", "worker-01 (scripted:s) read it and ended without an answer")


async def test_without_a_model_code_says_what_it_did_with_it(tmp_path: Path) -> None:
    rig = await make_rig(tmp_path)
    await rig.campaign.store.write(lambda s: agents.upsert_agent(s, rig.campaign.id, "worker-01", "worker"))
    inbox = Inbox(rig.campaign)
    said = await inbox.command("", {**ANN, "text": f"Use threads on gemv, and this:\n```c\n{SOURCE}```"})
    assert said.startswith("message 1: the offline policy: the source for gemv is judged as any other; ")
    assert "threads on gemv comes first where it fits; tried 0 times so far" in said
    assert (await situation_of(rig.campaign, "gemv")).ranked["threads"] == 1.0
    sent = await rig.campaign.store.write(commands.take_next)
    assert sent is not None
    assert (sent.actor, sent.verb, sent.target, sent.args["source"]) == ("ann@cli", "inject", "gemv", SOURCE)
    said = await inbox.command("worker", {**ANN, "text": "please hurry"})
    assert "no model reads this, and code understands no sentences: nothing was done" in said
    assert [one.state for one in kept(rig)] == ["answered", "answered"]
    with pytest.raises(Refused, match="nobody is called 'bob'; known: all, gemv, worker, worker-01"):
        await inbox.command("", {**ANN, "text": "to: bob\nhello"})
    with pytest.raises(Refused, match="no words"):
        await inbox.command("worker", {**ANN, "text": " \n"})


async def test_a_message_that_two_come_to_is_answered_once(tmp_path: Path) -> None:
    rig = await make_rig(tmp_path)
    inbox = Inbox(rig.campaign)
    await asyncio.gather(inbox.command("", {**ANN, "text": "hello"}), *(inbox.settle() for _ in range(8)))
    (one,) = kept(rig)
    assert one.state == "answered" and "flag_maxrregcount" not in one.answer and "threads, " in one.answer


async def test_when_the_models_are_out_code_answers_what_waits(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path)
    inbox = Inbox(desk.rig.campaign)
    await inbox.command("all", {**ANN, "text": "hello"})
    await inbox.settle()
    assert kept(desk.rig)[0].state == "waiting"
    desk.models.spent = "the campaign has $1 of $1 spent"
    await inbox.settle()
    assert (kept(desk.rig)[0].state, kept(desk.rig)[0].answered_by) == ("answered", "the offline policy")


async def test_task_files_are_brought_once_and_again_when_they_change(tmp_path: Path) -> None:
    rig, folder = await make_rig(tmp_path / "home"), tmp_path / "tasks"
    folder.mkdir()
    (folder / "first.md").write_text("to: gemv\ntry threads\n")
    (folder / "ignored.c").write_text("int x;")
    inbox = Inbox(rig.campaign, [folder, tmp_path / "nowhere"])
    await inbox.look()
    await inbox.look()
    row = await rig.campaign.store.write(commands.take_next)
    assert row is not None
    assert (row.actor, row.verb, row.args["text"]) == ("file first.md", "task", "to: gemv\ntry threads")
    assert await rig.campaign.store.write(commands.take_next) is None
    await inbox.command(row.target, {**row.args, "actor": row.actor})
    assert (kept(rig)[0].recipient, kept(rig)[0].file) == ("gemv", str(folder / "first.md"))
    await Inbox(rig.campaign, [folder]).look()
    assert await rig.campaign.store.write(commands.take_next) is None, "an engine that starts again knows it"
    (folder / "first.md").write_text("to: gemv\ntry threads and prefetch\n")
    await inbox.look()
    assert await rig.campaign.store.write(commands.take_next) is not None


async def test_what_is_open_at_the_end_is_said(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path)
    await Inbox(desk.rig.campaign).command("all", {**ANN, "text": "hello"})
    await Inbox(desk.rig.campaign).close()
    assert (kept(desk.rig)[0].state, kept(desk.rig)[0].answer) == ("closed", "the campaign ended")
    assert "message 1 of ann@cli to all is not answered" in desk.events("attention")[0]


def test_orders_are_levers_and_whole_sources() -> None:
    entries = {"gemv": "gemv", "axpy": "axpy"}
    found = orders_in(f"On gemv: multi rows, not rows2.\n```c\n{SOURCE}```", entries, ("multi_rows", "rows", "unroll"))
    assert found == Orders(("gemv",), ("multi_rows", "rows"), {"gemv": SOURCE})
    assert orders_in("be bold", entries, ("unroll",)).any is False
    assert orders_in("unrolled loops", entries, ("unroll",), "axpy") == Orders(("axpy",))
    assert recipient_in("To: owner-gemv\nhello") == "owner-gemv"
    assert recipient_in("hello to: x") == ""


async def test_a_file_that_an_editor_takes_away_for_a_moment_is_brought_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = await make_rig(tmp_path / "home")
    (tmp_path / "order.md").write_text("try threads\n")
    inbox = Inbox(rig.campaign, [tmp_path])
    with monkeypatch.context() as gone:
        gone.setattr("roles.inbox.text_of", lambda _: None)
        await inbox.look()
    assert await rig.campaign.store.write(commands.take_next) is None
    await inbox.look()
    row = await rig.campaign.store.write(commands.take_next)
    assert row is not None and row.args["text"] == "try threads"
