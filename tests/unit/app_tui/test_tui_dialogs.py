"""Dialogs read whole at every size: folded to the width, and their buttons are never pushed out of the window."""

from dataclasses import replace

import pytest

from store.views import PendingView
from tests.unit.app_tui.fake_source import NOW, FakeSource
from tests.unit.app_tui.harness import running

WAITS = PendingView(31, "qkv", "multi_rows " + "and more " * 12 + "end", "+5.2 % (+4.0..+6.1) by fresh pairs", NOW - 60)
SAID = {
    "x": ("process group is killed at once.", "paused; r resumes it.", "type qkv to confirm", "Cancel Kill qkv"),
    "A": ("and more end", "by fresh pairs", "A veto binds this content for the campaign.", "Later Veto (v)"),
    "q": ("`./run.sh` attaches again.", "then the campaign ends.", "Detach (d) Stop the loop (s) Cancel"),
}


def words(text: str) -> str:
    """What stands inside of the dialog's frame."""
    inside = (line.split("│")[1] for line in text.splitlines() if line.count("│") >= 2)
    return " ".join(" ".join(inside).replace("▎", " ").replace("▊", " ").split())


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (200, 50)])
@pytest.mark.parametrize("key", SAID)
async def test_a_dialog_reads_whole(key: str, size: tuple[int, int]) -> None:
    source = FakeSource()
    overview = source.overview()
    assert overview is not None
    source.overview_override = replace(overview, pending=(WAITS,))
    async with running(source, size=(100, 30)) as screen:
        await screen.until(lambda: screen.main.view)
        await screen.press(key)
        await screen.pilot.resize_terminal(*size)
        await screen.until(lambda: all(said in words(screen.text()) for said in SAID[key]), f"{key} at {size}")


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (24, 5)])
async def test_more_than_there_are_rows_for_is_counted_and_the_buttons_stay(size: tuple[int, int]) -> None:
    async with running(FakeSource(agent_count=36), size=(80, 24)) as screen:
        await screen.press("3")
        await screen.until_shown("36 agents by name")
        await screen.press("v", "G", "v", "x")
        await screen.pilot.resize_terminal(*size)
        await screen.until_shown("more lines", "Cancel")
        assert size[1] == 5 or "its process group is killed at once." in words(screen.text())
        await screen.press("enter")
        assert screen.source.commands == []
