"""What a tick costs: cells repainted and rows asked for; and what is imported before the first frame."""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.geometry import Region

from app.screens.forest import Forest
from app.screens.tree_rows import TreeRows
from app.widgets.lines import Lines
from tests.unit.app_tui.fake_source import FakeSource
from tests.unit.app_tui.harness import Screen, running

ROOT = Path(__file__).parents[3]
HEAVY = ("sqlmodel", "sqlalchemy", "store.engine", "plotext", "scipy", "numpy", "anthropic", "openai")


async def repainted(screen: Screen, change: Callable[[], object] = lambda: None) -> dict[str, int]:
    """Cells that a full reading after `change` repaints, by panel, once the screen has come to rest."""
    painted: dict[str, int] = {}
    for panel in screen.main.query(Lines):
        watch(panel, painted)
    for _ in range(100):
        await screen.pilot.pause(0.02)
        painted.clear()
        await reading(screen)
        if not any(painted.values()):
            break
    painted.clear()
    change()
    await reading(screen)
    return {name: area for name, area in painted.items() if area}


async def reading(screen: Screen) -> None:
    screen.source.touch()
    screen.main.read_all()
    await screen.main._ask_once()
    await screen.settle()


def watch(panel: Lines, painted: dict[str, int]) -> None:
    original = panel.refresh

    def counting(*regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Lines:
        painted[panel.id or ""] = painted.get(panel.id or "", 0) + sum(region.area for region in regions)
        return original(*regions, repaint=repaint, layout=layout, recompose=recompose)

    panel.refresh = counting


async def test_a_reading_without_news_repaints_nothing() -> None:
    async with running(size=(200, 50)) as screen:
        for tab in "123456789":
            await screen.press(tab)
            await screen.until_shown(f"[{tab} ")
            await screen.settle()
            assert await repainted(screen) == {}


async def test_behind_a_dialog_ticks_paint_nothing_and_news_still_show(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(size=(120, 40)) as screen:
        await screen.press("question_mark")
        await screen.until(lambda: len(screen.app.screen_stack) > 2)
        for _ in range(8):
            await screen.pilot.pause(0.05)
            await screen.settle()
        painted: list[int] = []
        paint = screen.app._display
        monkeypatch.setattr(screen.app, "_display", lambda *given: painted.append(1) or paint(*given))
        for _ in range(8):
            screen.main.show_bars()
            await screen.pilot.pause(0.05)
            await screen.settle()
        assert painted == []
        view = screen.source.overview()
        assert view is not None
        dearer = replace(view, campaign=replace(view.campaign, usd=1.5))
        screen.source.overview_override = dearer
        await reading(screen)
        await screen.until(lambda: painted, "what changed behind the dialog was not painted")
        await screen.press("escape")
        await screen.until_shown("$1.50")


async def test_one_changed_agent_repaints_one_row_and_the_count_of_the_paused() -> None:
    async with running(FakeSource(agent_count=36), size=(150, 50)) as screen:
        await screen.press("3")
        await screen.until_shown("worker-30")
        painted = await repainted(screen, lambda: screen.source.paused.add("worker-07"))
        assert set(painted) == {"agents-rows", "tabs"}
        assert painted["agents-rows"] <= screen.panel("#agents-rows").size.width


async def test_an_unchanged_store_is_not_read() -> None:
    async with running() as screen:
        await screen.settle()
        before = dict(screen.source.reads)
        for _ in range(8):
            await screen.main._ask_once()
        assert screen.source.reads == before


async def test_only_the_active_tab_is_read() -> None:
    async with running() as screen:
        await screen.press("7")
        await screen.until_shown("450 filings")
        before = dict(screen.source.reads)
        screen.source.touch()
        await screen.main._ask_once()
        grown = {name for name, number in screen.source.reads.items() if number > before.get(name, 0)}
        assert grown <= {"overview", "filings", "agents"}
        assert "tree" not in grown


def test_opening_a_branch_of_a_big_tree_does_not_walk_all_of_it() -> None:
    source = FakeSource(node_count=17_000)
    forest = Forest.plant({k: source.whole(k) for k in source.kernels})
    rows = TreeRows(forest, {*forest.nodes, *forest.kernels()})
    started = time.process_time()
    for _ in range(20):
        rows.toggle(1, opening=False)
        rows.toggle(1, opening=True)
        for index in range(50):
            rows.row(index, 100)
    assert (time.process_time() - started) / 40 < 0.05


async def test_changing_numbers_in_the_header_does_not_read_or_lay_out_the_body() -> None:
    async with running(size=(200, 50)) as screen:
        view = screen.source.overview()
        assert view is not None
        dearer = replace(view, campaign=replace(view.campaign, usd=1.5))
        painted = await repainted(screen, lambda: setattr(screen.source, "overview_override", dearer))
        assert set(painted) <= {"header"}
        await screen.until_shown("$1.50")


def test_nothing_heavy_is_imported_before_the_first_frame() -> None:
    code = f"import app.tui, sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
