"""Keys that steer: which commands reach the source, what asks first, how the screen is left."""

from dataclasses import replace

import pytest
from textual.widgets import Input

from app.screens.dialogs import Ask
from tests.unit.app_tui.fake_source import NOW, FakeSource, verbs
from tests.unit.app_tui.harness import running


async def test_p_toggles_the_selected_kernel_and_capital_p_all() -> None:
    async with running() as screen:
        await screen.press("j", "p")
        await screen.until(lambda: ("pause", "attn_out") in verbs(screen.source))
        await screen.until_shown("pause attn_out: paused")
        await screen.press("P")
        await screen.until(lambda: ("pause", "all") in verbs(screen.source))
        await screen.until_shown("= paused")
        await screen.press("P")
        await screen.until(lambda: ("resume", "all") in verbs(screen.source))


@pytest.mark.parametrize(
    ("only_held", "verb", "said"), [(True, "pause", "= device held"), (False, "resume", "= paused")]
)
async def test_capital_p_undoes_a_pause_but_no_hold_of_the_device(only_held: bool, verb: str, said: str) -> None:
    async with running() as screen:
        shown = screen.source.overview()
        assert shown is not None
        waits = replace(shown.campaign, state="paused")
        screen.source.overview_override = replace(shown, campaign=waits, held=True, only_held=only_held)
        await screen.press("ctrl+r")
        await screen.until_shown(said)
        await screen.press("P")
        await screen.until(lambda: verbs(screen.source) == [(verb, "all")])
        await screen.press("H")
        await screen.until(lambda: verbs(screen.source)[-1] == ("release", "device"))


async def test_p_resumes_an_agent_that_is_paused() -> None:
    async with running() as screen:
        await screen.press("3")
        await screen.until_shown("worker-00")
        await screen.press("slash", *"worker-03", "enter", "p")
        await screen.until(lambda: verbs(screen.source) == [("pause", "worker-03")])
        await screen.until_shown("= paused", "1 paused")
        await screen.press("p")
        await screen.until(lambda: verbs(screen.source)[-1] == ("resume", "worker-03"))


async def test_p_resumes_a_kernel_that_is_paused_in_every_tab_that_shows_it() -> None:
    async with running() as screen:
        await screen.press("p")
        await screen.until_shown("1 paused")
        await screen.press("5")
        await screen.until(lambda: [target.name for target in screen.main.pane.targets()] == ["qkv"])
        await screen.press("p")
        await screen.until(lambda: verbs(screen.source) == [("pause", "qkv"), ("resume", "qkv")])
        await screen.until(lambda: "1 paused" not in screen.text())


async def test_a_command_is_said_at_once_and_until_the_engine_has_answered() -> None:
    source = FakeSource(answer="taken")
    async with running(source) as screen:
        await screen.press("p")
        assert screen.main.notices.lines(NOW) == [(("pausing qkv...", "accent"),)]
        await screen.until_shown("pausing qkv...")
        await screen.until(lambda: screen.source.commands)
        await screen.main._ask_once()
        assert "pausing qkv..." in screen.text()
        source.waits_for = "after the pair in hand"
        await screen.until_shown("pause qkv: after the pair in hand")
        source.answer = "refused"
        await screen.until_shown("! pause qkv")


async def test_a_long_answer_is_folded_and_covers_whole_rows() -> None:
    async with running(size=(80, 24)) as screen:
        screen.main.notices.say("! " + "word " * 60, NOW, "warn")
        screen.main.show_notices()
        await screen.until_shown(" ! word word")
        *_, first, second, footer = screen.text().splitlines()
        assert first.startswith(" ! word") and second.startswith(" word") and second.endswith("~")
        assert set(first.split()) == {"!", "word"} and "p pause" in footer


async def test_kill_asks_with_cancel_focused_and_y_confirms() -> None:
    async with running() as screen:
        await screen.press("3")
        await screen.until_shown("architect-attn_out")
        await screen.press("x")
        assert isinstance(screen.app.screen, Ask)
        await screen.until(lambda: screen.app.focused is not None and screen.app.focused.id == "choice-cancel")
        await screen.until_shown("architect-attn_out on attn_out, working for")
        await screen.press("enter")
        assert verbs(screen.source) == []
        await screen.press("x", "y")
        await screen.until(lambda: verbs(screen.source) == [("kill", "architect-attn_out")])


@pytest.mark.parametrize(("tab", "shown", "keys"), [
    ("1", "26.4x", ()), ("5", "2 profiles of 3 kernels", ()), ("8", "3 shares by group", ()),
])  # fmt: skip
async def test_keys_act_on_all_marked_kernels_in_every_tab_that_lists_them(
    tab: str, shown: str, keys: tuple[str, ...]
) -> None:
    async with running() as screen:
        await screen.press(tab)
        await screen.until_shown(shown)
        await screen.press(*keys, "m", "m", "p")
        await screen.until(lambda: sorted(verbs(screen.source)) == [("pause", "attn_out"), ("pause", "qkv")])


async def test_one_command_goes_to_a_kernel_however_many_of_its_rows_are_marked() -> None:
    async with running() as screen:
        await screen.press("7")
        await screen.until_shown("450 filings")
        await screen.press("m", "m", "m", "m", "m", "m")
        await screen.until(lambda: len(screen.main.pane.targets()) == 3)
        await screen.press("p")
        await screen.until(lambda: len(screen.source.commands) == 3)
        assert sorted(target for _, target in verbs(screen.source)) == ["attn_out", "ffn", "qkv"]


async def test_killing_several_kernels_asks_for_the_names_of_all() -> None:
    async with running() as screen:
        await screen.press("m", "m", "x")
        await screen.until_shown("Kill 2 kernels?", "kernel qkv", "kernel attn_out")
        dialog = screen.app.screen
        assert isinstance(dialog, Ask)
        line = dialog.query_one(Input)
        line.value = "attn_out"
        await screen.press("enter")
        assert screen.app.screen is dialog and not screen.source.commands
        line.value = "attn_out qkv"
        await screen.press("enter")
        await screen.until(lambda: sorted(verbs(screen.source)) == [("kill", "attn_out"), ("kill", "qkv")])


async def test_kill_acts_on_all_marks_and_lists_them() -> None:
    async with running() as screen:
        await screen.press("3")
        await screen.until_shown("architect-attn_out")
        await screen.press("m", "m", "x")
        await screen.until_shown("Kill 2 agents?", "architect-attn_out on", "architect-ffn on")
        await screen.press("y")
        wanted = [("kill", "architect-attn_out"), ("kill", "architect-ffn")]
        await screen.until(lambda: verbs(screen.source) == wanted)


async def test_a_range_marks_from_where_it_began() -> None:
    async with running() as screen:
        await screen.press("3")
        await screen.until_shown("architect-attn_out")
        await screen.press("v", "j", "j", "v", "j")
        rows = screen.main.rows()
        assert rows is not None and len(rows.marks) == 3
        await screen.press("escape")
        assert rows.marks == set()


async def test_killing_a_kernel_wants_its_name_typed() -> None:
    async with running() as screen:
        await screen.press("x")
        await screen.press("y")
        assert isinstance(screen.app.screen, Ask)
        await screen.until_shown("Kill qkv", "is paused; r resumes it")
        assert "(y)" not in screen.text()
        typing = screen.app.screen.query_one(Input)
        assert screen.app.focused is typing and typing.value == "y"
        await screen.press("enter")
        assert isinstance(screen.app.screen, Ask)
        await screen.until_shown("type qkv to confirm")
        await screen.press(*"qkv", "enter")
        await screen.until(lambda: verbs(screen.source) == [("kill", "qkv")])


async def test_hold_extend_and_resume() -> None:
    async with running() as screen:
        await screen.press("plus", "H", "r", "R")
        wanted = [("extend", ""), ("hold", "device"), ("resume", "qkv"), ("resume", "all")]
        await screen.until(lambda: sorted(verbs(screen.source)) == sorted(wanted))


@pytest.mark.parametrize(
    ("state", "silent", "heard"),
    [("running", 30.0, True), ("running", 70.0, False), ("interrupted", 1.0, False), ("finished", 1.0, False)],
)
async def test_a_silent_engine_is_still_told_and_a_dead_one_is_not(state: str, silent: float, heard: bool) -> None:
    source = FakeSource()
    view = source.overview()
    assert view is not None and view.engine is not None
    campaign, engine = replace(view.campaign, state=state), replace(view.engine, alive=False, heartbeat_at=NOW - silent)
    source.overview_override = replace(view, campaign=campaign, engine=engine)
    async with running(source) as screen:
        await screen.until(lambda: screen.main.view is not None)
        assert screen.main.heard is heard


async def test_without_an_engine_nothing_is_sent_and_q_does_not_speak_of_one() -> None:
    source = FakeSource()
    view = source.overview()
    assert view is not None
    source.overview_override = replace(view, engine=None)
    async with running(source) as screen:
        await screen.until(lambda: not screen.main.heard)
        await screen.press("p")
        await screen.until_shown("! no engine runs: pause qkv refused")
        await screen.press("plus")
        await screen.until_shown("! no engine runs: extend refused")
        await screen.press("q")
        await screen.until_shown("No engine runs: there is nothing to stop", "Leave (d)")
        assert "Stop the loop" not in screen.text() and source.commands == []


async def test_read_only_refuses_visibly() -> None:
    async with running(read_only=True) as screen:
        await screen.until_shown("read-only")
        await screen.press("space")
        await screen.until_shown("view frozen, 0 new", "read-only")
        await screen.press("p")
        await screen.until_shown("! read-only: pause qkv refused")
        await screen.press("x")
        assert screen.app.screen is screen.main
        await screen.press("q")
        await screen.until_shown("Leave (d)")
        assert "Stop the loop" not in screen.text()
        await screen.press("s")
        assert screen.dialog_open and screen.source.commands == []


@pytest.mark.parametrize(("keys", "ended"), [("qd", "detached"), ("q\r", "detached"), ("qs", "stopped")])
async def test_q_detaches_by_default_or_stops(keys: str, ended: str) -> None:
    async with running() as screen:
        await screen.press(keys[0])
        await screen.until_shown("Leave?")
        await screen.press("enter" if keys[1] == "\r" else keys[1])
        await screen.until(lambda: screen.app.return_value == ended)
        assert verbs(screen.source) == ([("stop", "")] if ended == "stopped" else [])


async def test_ctrl_c_asks_once_and_detaches_the_second_time() -> None:
    async with running() as screen:
        await screen.press("ctrl+c")
        assert isinstance(screen.app.screen, Ask) and screen.app.return_value is None
        await screen.press("ctrl+c")
        await screen.until(lambda: screen.app.return_value == "detached")
