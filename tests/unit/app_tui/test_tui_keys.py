"""Every tab and every key: what the screen shows and which commands reach the source."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from textual.widgets import Input

from app import tui
from app.feed_bridge import SourceError
from app.keys import KEYS, TAB_KEYS, key_table_markdown, shown_keys
from app.options import UiOptions
from app.screens.dialogs import Ask, Help
from app.screens.tabs import TABS
from store import views as v
from tests.unit.app_tui.fake_source import NOW, FakeSource, verbs
from tests.unit.app_tui.harness import NOWHERE, SIZES, Screen, running

SHOWN = {
    "Overview": ("heads", "score", "now on the device", "trust", "needs you", "26.4x (25.9..27.0)"),
    "Trees": ("design trees: 180 nodes", "kernel qkv", "decode by table"),
    "Agents": ("12 agents by name", "architect-ffn", "working"),
    "Judging": ("41 tests", "FASTER", "pairs of test 120", "+1.97"),
    "Filings": ("450 filings by time, descending", "scale hoisting"),
    "Log": ("80 events, following", "event 79"),
    "Knowledge": ("40 claims by book", "38 supported, 2 stale", "+ supported", "chip-book"),
    "Money": ("nothing was spent: brain offline asked no model", "score against device time", "3 shares by group"),
    "Profile": ("2 profiles of 3 kernels", "no profile of qkv yet", "imbalance 48.0 %"),
}


@pytest.mark.parametrize("size", SIZES)
async def test_each_tab_shows_its_part(size: tuple[int, int]) -> None:
    async with running(size=size) as screen:
        for number, tab in enumerate(TABS, start=1):
            await screen.press(str(number))
            await screen.until_shown(f"[{number} {tab.name}]", *SHOWN[tab.name])


@pytest.mark.parametrize(("size", "tabs"), [
    pytest.param(SIZES[0], range(1, len(TABS) + 1), marks=pytest.mark.long), (SIZES[0], (2, 7)), (SIZES[1], (1, 3)),
])  # fmt: skip
async def test_every_binding_acts_in_every_tab(size: tuple[int, int], tabs: Iterable[int], tmp_path: Path) -> None:
    """No key of the table fails anywhere; dialogs close again with escape."""
    async with running(size=size, state_dir=tmp_path) as screen:
        for number in tabs:
            await screen.press(str(number))
            for key in KEYS:
                for name in key.keys:
                    await screen.press(name)
                    for _ in range(3):
                        if screen.dialog_open or screen.main.line.has_focus:
                            await screen.press("escape")
        assert screen.app.is_running
        assert screen.app._exception is None


async def test_brackets_and_digits_move_between_tabs() -> None:
    async with running() as screen:
        await screen.press("right_square_bracket")
        await screen.until_shown("[2 Trees]")
        await screen.press("left_square_bracket", "left_square_bracket")
        await screen.until_shown("[9 Log]")
        await screen.press("8")
        await screen.until_shown("[8 Money]")


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


async def test_p_resumes_an_agent_that_is_paused() -> None:
    async with running() as screen:
        await screen.press("3")
        await screen.until_shown("worker-00")
        await screen.press("slash", *"worker-03", "enter", "p")
        await screen.until(lambda: verbs(screen.source) == [("pause", "worker-03")])
        await screen.until_shown("= paused")
        await screen.press("p")
        await screen.until(lambda: verbs(screen.source)[-1] == ("resume", "worker-03"))


async def test_a_command_is_said_at_once_and_until_the_engine_has_answered() -> None:
    source = FakeSource(answer="taken")
    async with running(source) as screen:
        await screen.press("p")
        assert screen.main.notices.lines(NOW) == [(("pausing qkv...", "accent"),)]
        await screen.until_shown("pausing qkv...")
        await screen.until(lambda: screen.source.commands)
        await screen.main._ask_once()
        assert "pausing qkv..." in screen.text()
        source.answer = "refused"
        await screen.until_shown("! pause qkv")


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
        screen.app.screen.query_one(Input).focus()
        await screen.press(*"qk", "enter")
        assert isinstance(screen.app.screen, Ask)
        await screen.press("v", "enter")
        await screen.until(lambda: verbs(screen.source) == [("kill", "qkv")])


async def test_hold_extend_resume_and_approve() -> None:
    async with running() as screen:
        await screen.press("plus", "H", "r", "R", "a")
        wanted = [("extend", ""), ("hold", "device"), ("resume", "qkv"), ("resume", "all"), ("accept", "qkv")]
        await screen.until(lambda: sorted(verbs(screen.source)) == sorted(wanted))


async def test_read_only_refuses_visibly() -> None:
    async with running(read_only=True) as screen:
        await screen.until_shown("read-only")
        await screen.press("p")
        await screen.until_shown("! read-only: pause qkv refused")
        await screen.press("x")
        assert screen.app.screen is screen.main
        await screen.press("q", "s")
        await screen.until_shown("! read-only: stop refused")
        assert screen.source.commands == []


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


async def test_filter_sort_and_reverse_ask_the_source_for_filings() -> None:
    async with running() as screen:
        await screen.press("7")
        await screen.until_shown("450 filings")
        await screen.press("slash", *"prefetch", "enter")
        await screen.until_shown("45 filings by time, descending, filter: prefetch")
        await screen.press("s", "S")
        await screen.until_shown("45 filings by kernel, filter: prefetch")
        await screen.press("escape")
        await screen.until_shown("450 filings by kernel")


async def test_filings_are_paged() -> None:
    async with running() as screen:
        await screen.press("7")
        await screen.until_shown("450 filings")
        await screen.press("G")
        await screen.until_shown(">     1 ")
        assert screen.source.reads["filings"] >= 2


async def test_trees_open_the_head_lineage_and_fold() -> None:
    async with running(size=(120, 40)) as screen:
        await screen.press("2")
        await screen.until_shown("<head", "kernel attn_out")
        rows = screen.main.rows()
        assert rows is not None
        before = rows.count()
        await screen.press("h")
        await screen.until(lambda: rows.count() < before)
        await screen.press("l")
        await screen.until(lambda: rows.count() == before)


async def test_tree_filter_keeps_the_way_to_a_match_and_n_skips_it() -> None:
    async with running(size=(120, 40)) as screen:
        await screen.press("2")
        await screen.until_shown("kernel qkv")
        await screen.press("slash", *"variant 16", "enter")
        await screen.until_shown("filter: variant 16", "variant 16")
        await screen.press("g", "n")
        await screen.until_shown("node 1016", "difference to its parent", "+ source")


async def test_enter_opens_the_detail_and_escape_leaves_it_in_a_narrow_window() -> None:
    async with running(size=(80, 24)) as screen:
        await screen.press("3")
        await screen.until_shown("architect-ffn")
        await screen.press("enter")
        await screen.until_shown("-- last lines")
        await screen.press("escape")
        await screen.until(lambda: "-- last lines" not in screen.text())


async def test_freeze_keeps_the_view_and_counts_what_is_new() -> None:
    source = FakeSource()
    async with running(source) as screen:
        await screen.press("9")
        await screen.until_shown("80 events")
        await screen.press("space")
        await screen.until_shown("view frozen, 0 new")
        source.event_list = [*source.event_list, *FakeSource(event_count=83).event_list[80:]]
        source.touch()
        await screen.until_shown("view frozen, 3 new")
        assert "80 events" in screen.text()
        await screen.press("space")
        await screen.until_shown("83 events")
        assert "frozen" not in screen.text()


async def test_log_follows_until_the_cursor_goes_up() -> None:
    async with running() as screen:
        await screen.press("9")
        await screen.until_shown("80 events, following")
        await screen.press("k")
        await screen.until(lambda: "following" not in screen.text())
        await screen.press("f")
        await screen.until_shown("80 events, following")


async def test_copy_goes_to_the_clipboard_and_to_a_file(tmp_path: Path) -> None:
    async with running(state_dir=tmp_path) as screen:
        await screen.press("3")
        await screen.until_shown("architect-attn_out")
        await screen.press("y")
        assert screen.app.clipboard.startswith("architect-attn_out")
        assert (tmp_path / "copied.txt").read_text().startswith("architect-attn_out")
        await screen.press("Y")
        assert (tmp_path / "copied.txt").read_text().count("\n") >= 12


async def test_zoom_shows_one_panel_alone() -> None:
    async with running() as screen:
        await screen.press("tab", "z")
        await screen.until(lambda: "needs you" not in screen.text() and "score" in screen.text())
        await screen.press("escape")
        await screen.until_shown("needs you")


async def test_help_lists_every_key_of_the_table() -> None:
    async with running(size=(100, 90)) as screen:
        await screen.press("question_mark")
        assert isinstance(screen.app.screen, Help)
        await screen.until_shown(*(key.help for key in shown_keys()))


async def test_palette_finds_commands_agents_and_nodes() -> None:
    async with running(size=(100, 40)) as screen:
        await screen.press("colon", *"pause worker-04")
        await screen.until_shown("agent: start nothing new")
        await screen.press("down", "enter")
        await screen.until(lambda: ("pause", "worker-04") in verbs(screen.source))
        await screen.press("ctrl+p", *"node 1020")
        await screen.until_shown("show this node")
        await screen.press("down", "enter")
        await screen.until_shown("[2 Trees]", "node 1020")
        await screen.press("ctrl+p", *"variant 17 qkv")
        await screen.until_shown("node 1017 qkv")
        await screen.press("escape", "ctrl+p", *"filing 448")
        await screen.until_shown("show this filing")
        await screen.press("down", "enter")
        await screen.until_shown("filing 448  (esc closes)", "against the baseline")


async def test_enter_in_the_palette_runs_nothing_that_was_found_for_fewer_words() -> None:
    async with running(size=(100, 40)) as screen:
        await screen.press("colon", *"pause worker")
        await screen.until_shown("pause worker-00", "pause worker-06")
        await screen.press(*"-04", "enter")
        await screen.until(lambda: verbs(screen.source) == [("pause", "worker-04")])


def test_key_table_is_unique_and_complete() -> None:
    keys = [name for key in (*KEYS, *TAB_KEYS) for name in key.keys]
    assert len(keys) == len(set(keys))
    assert len({key.id for key in (*KEYS, *TAB_KEYS)}) == len(KEYS) + len(TAB_KEYS)
    table = key_table_markdown()
    assert all(f"| `{key.shown}` | {key.help} |" in table for key in KEYS)


async def test_engine_silence_is_said() -> None:
    now = [NOW]
    async with running(clock=lambda: now[0]) as screen:
        assert "+ running" in screen.text()
        now[0] += 14.0
        await screen.until_shown("! engine silent for 15 s")


async def test_a_store_that_cannot_be_read_is_said_and_read_again() -> None:
    source = FakeSource()
    async with running(source) as screen:
        broken, source.overview = source.overview, _failing
        source.touch()
        await screen.until_shown("! overview: disk I/O error")
        source.overview = broken
        await screen.until_shown("+ running")


async def test_a_store_that_is_not_there_yet_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tui, "RETRY_S", 0.05)
    tries: list[int] = []

    def make() -> FakeSource:
        tries.append(1)
        if len(tries) < 3:
            raise SourceError("no database yet")
        return FakeSource()

    app = tui.KernelwrightApp(make, UiOptions(theme="dark", state_dir=NOWHERE, clock=lambda: NOW))
    async with app.run_test(size=(100, 30)) as pilot:
        screen = Screen(app, pilot, FakeSource())
        assert "Kernelwright" in screen.text()
        await screen.until_shown("+ running")
    assert len(tries) == 3


def _failing() -> v.OverviewView | None:
    raise SourceError("overview: disk I/O error")
