"""What a person says on the screen: messages, decisions on promotions, refining; and what agents and models said."""

from dataclasses import replace
from pathlib import Path

from app.screens.transcript_text import transcript_page
from app.store_source import StoreSource
from app.views import plain
from store import views as v
from store.said_views import SaidView
from tests.unit.app_tui.fake_source import NOW, FakeSource
from tests.unit.app_tui.harness import Screen, running
from tests.unit.roles.model_rig import make_desk, uses

WAITS = v.PendingView(31, "qkv", "multi_rows rows=4", "+5.2% (+4.0% to +6.1%) by fresh pairs", NOW - 60)


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
        await screen.until_shown("Promote node 31?", "qkv: multi_rows rows=4", "+5.2% (+4.0% to +6.1%) by fresh pairs")
        await screen.press("enter")
        assert sent(screen) == []
        for key, verb in (("v", "veto"), ("y", "approve")):
            await screen.press("A")
            await screen.press(key)
            await screen.until(lambda wanted=verb: (wanted, "31") in sent(screen))


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
    assert lines[-1] == "... 60 more lines; `calls` has all of it"
    assert "price unknown" in lines[2]


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
