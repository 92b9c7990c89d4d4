"""Every tab and every key: what the screen shows, and that no key fails anywhere."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from app.keys import KEYS, TAB_KEYS, key_table_markdown, shown_keys
from app.screens.dialogs import Help, help_lines
from app.screens.tabs import TABS
from app.views import width_of
from tests.unit.app_tui.harness import SIZES, running

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


async def test_help_lists_every_key_of_the_table() -> None:
    async with running(size=(100, 90)) as screen:
        await screen.press("question_mark")
        assert isinstance(screen.app.screen, Help)
        await screen.until_shown(*(key.help for key in shown_keys()))


def test_key_table_is_unique_and_complete() -> None:
    keys = [name for key in (*KEYS, *TAB_KEYS) for name in key.keys]
    assert len(keys) == len(set(keys))
    assert len({key.id for key in (*KEYS, *TAB_KEYS)}) == len(KEYS) + len(TAB_KEYS)
    table = key_table_markdown()
    assert all(f"| `{key.shown}` | {key.help} |" in table for key in KEYS)


@pytest.mark.parametrize("width", [36, 60])
def test_help_is_folded_to_its_width(width: int) -> None:
    lines = help_lines(KEYS, width)
    assert max(width_of(line) for line in lines) <= width
    said = " ".join(" ".join(text for text, _ in line) for line in lines).split()
    assert all(word in said for key in KEYS for word in key.help.split())


@pytest.mark.parametrize("size", [(40, 20), (60, 20)])
async def test_help_reads_whole_in_a_narrow_window(size: tuple[int, int]) -> None:
    async with running(size=size) as screen:
        await screen.press("question_mark")
        await screen.until_shown("esc closes", "half a page down")
        assert isinstance(screen.app.screen, Help)
        panel = screen.app.screen.panel
        assert panel.content_width() <= panel.text_width
