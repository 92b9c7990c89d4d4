"""What a person says on the screen: messages, decisions on promotions, refining; and what agents and models said."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli import run
from app.messages import Target
from app.screens.deciding import after, chosen
from app.screens.transcript_text import transcript_page
from app.screens.trees import TreesPane
from app.store_source import StoreSource
from app.views import plain
from store import views as v
from store.said_views import SaidView
from tests.unit.app_tui.fake_source import NOW, FakeSource
from tests.unit.app_tui.harness import Screen, running
from tests.unit.roles.model_rig import make_desk, uses

WAITS = v.PendingView(31, "qkv", "multi_rows rows=4", "+5.2 % (+4.0..+6.1) by fresh pairs", NOW - 60)


def sent(screen: Screen) -> list[tuple[str, str]]:
    return [(command.verb, command.target) for command in screen.source.commands]


async def test_words_go_to_the_selected_agent() -> None:
    async with running() as screen:
        await screen.press("3")
        await screen.until_shown("12 agents by name")
        await screen.press("i")
        await screen.until_shown("(enter sends, esc cancels)")
        await screen.press(*"try", "enter")
        await screen.until(lambda: screen.source.commands)
        (command,) = screen.source.commands
        assert (command.verb, command.target) == ("task", "architect-attn_out")
        assert command.args == {"text": "try"}
        await screen.press("i", "escape")
        assert len(screen.source.commands) == 1


async def test_a_promotion_that_waits_is_decided_with_its_evidence_in_sight() -> None:
    source = FakeSource()
    overview = source.overview()
    assert overview is not None
    source.overview_override = replace(overview, pending=(WAITS,))
    async with running(source, size=(120, 40)) as screen:
        await screen.until(lambda: screen.main.view)
        await screen.press("A")
        await screen.until_shown(
            "Promote node 31 on qkv?", "qkv: multi_rows rows=4", "+5.2 % (+4.0..+6.1) by fresh pairs"
        )
        await screen.press("enter")
        assert sent(screen) == []
        for key, verb in (("v", "veto"), ("y", "approve")):
            await screen.press("A")
            await screen.press(key)
            await screen.until(lambda wanted=verb: (wanted, "31") in sent(screen))


OTHERS = (replace(WAITS, node=1004, title="unroll by=4"), replace(WAITS, node=77, kernel="ffn", title="threads n=2"))


async def test_the_word_is_about_what_is_selected_and_the_dialog_names_it() -> None:
    source = FakeSource()
    overview = source.overview()
    assert overview is not None
    source.overview_override = replace(overview, pending=(WAITS, *OTHERS))
    async with running(source, size=(120, 40)) as screen:
        await screen.until(lambda: screen.main.view)
        await screen.press("G", "A")
        await screen.until_shown("Promote node 77 on ffn?", "ffn: threads n=2", "node 31 on qkv, node 1004 on qkv")
        await screen.press("v")
        await screen.press("g", "A", "o")
        await screen.until_shown("Promote node 1004 on qkv?", "Waiting too: node 31 on qkv, node 77 on ffn")
        await screen.press("n", "2")
        await screen.until_shown("qkv")
        pane = screen.main.pane
        assert isinstance(pane, TreesPane)
        pane.reveal(1004)
        await screen.until(lambda: pane.selected == 1004)
        await screen.press("A", "y")
        await screen.until(lambda: len(sent(screen)) == 2)
        assert sent(screen) == [("veto", "77"), ("approve", "1004")]


def test_what_is_not_selected_goes_by_how_long_it_waited() -> None:
    waiting = (WAITS, *OTHERS)
    node, kernel = Target("kernel", "qkv", node=1004), Target("kernel", "ffn")
    assert [one.node for one in (chosen(waiting, [node]), chosen(waiting, [kernel])) if one] == [1004, 77]
    elsewhere = (Target("kernel", "attn_out"), Target("agent", "worker-01"))
    assert [chosen(waiting, found) for found in ((), *((one,) for one in elsewhere))] == [WAITS] * 3
    assert chosen((), [node]) is None
    assert [after(waiting, one).node for one in waiting] == [1004, 77, 31]


async def test_without_one_it_says_so_and_a_reader_sends_nothing() -> None:
    async with running() as screen:
        await screen.press("A")
        await screen.until_shown("no promotion waits for you")
    async with running(read_only=True) as screen:
        await screen.press("i")
        await screen.until_shown("read-only: task refused")
        assert screen.source.commands == []


async def test_the_transcript_of_an_agent_takes_the_place_of_its_lines() -> None:
    async with running(size=(140, 40)) as screen:
        await screen.press("3")
        await screen.until_shown("12 agents by name")
        await screen.press("G", "T")
        await screen.until_shown("transcript", "request 7", "-- the model", "check {}", "-- tool", "it compiles")
        await screen.press("T")
        await screen.until_shown("-- last lines")


def test_long_parts_are_cut_and_say_so() -> None:
    agent = v.AgentView("w", "worker", "", "working", "", "", NOW, 1230, 0.5, (), NOW)
    part = SaidView(1, NOW, "tool", "\n".join(f"line {n}" for n in range(100)), "m", "done", 10, 2, None)
    lines = [plain(line) for line in transcript_page(agent, [part], 60)]
    assert lines[-1] == "... 60 more lines; `./run.sh calls --transcript` has all"
    assert "price unknown" in " ".join(lines)


def test_code_keeps_its_indents_and_nothing_is_wider_than_the_panel() -> None:
    agent = v.AgentView("w", "worker", "", "working", "", "", NOW, 1230, 0.5, (), NOW)
    part = SaidView(7, NOW, "the model", "for (;;) {\n    y[i]  = 0;\n" + "words " * 20, "model-of-a-long-name", "done",
                    12345, 30, 0.01)  # fmt: skip
    lines = [plain(line) for line in transcript_page(agent, [part], 40)]
    assert "    y[i]  = 0;" in lines and max(map(len, lines)) <= 40


async def test_what_was_new_in_each_request_and_what_came_back(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path, [uses(("recall", {"words": "x"})), uses(("finish", {"summary": "done"}))])
    await desk.serve()
    source = StoreSource(tmp_path)
    source.changed()
    first, recalled, result, finished = source.transcript("worker-01")
    source.close()
    assert (first.who, "on kernel gemv" in first.text, first.call) == ("to the model", True, 1)
    assert (recalled.who, recalled.text) == ("the model", 'recall {"words": "x"}')
    assert (result.who, "nothing with all of these words" in result.text, result.call) == ("tool", True, 2)
    assert finished.text == 'finish {"summary": "done"}'


async def test_the_command_has_all_that_was_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = await make_desk(tmp_path, [uses(("recall", {"words": "x"})), uses(("finish", {"summary": "done"}))])
    await desk.serve()
    source = StoreSource(tmp_path)
    source.changed()
    said = source.transcript("worker-01")
    source.close()
    words = ["calls", "--transcript", "--home", str(tmp_path)]
    assert await asyncio.to_thread(run, words) == 0
    printed = capsys.readouterr().out
    assert max(len(part.text.splitlines()) for part in said) > 40
    assert all(line in printed.splitlines() for part in said for line in part.text.splitlines())
    assert "-- worker-01, request 2, scripted: tool" in printed
    assert await asyncio.to_thread(run, [*words, "--json"]) == 0
    assert [one["text"] for one in json.loads(capsys.readouterr().out)["said"]] == [part.text for part in said]
