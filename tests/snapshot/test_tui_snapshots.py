"""Pictures of the screen at three sizes, on seeded data with a frozen clock. `pytest --snapshot-update` draws anew."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from app.options import UiOptions
from app.tui import Ended, KernelwrightApp
from app.widgets.plot import load_plotext
from tests.unit.app_tui.fake_source import NOW, FakeSource

Compare = Callable[..., bool]


def _app(theme: str) -> KernelwrightApp:
    load_plotext()
    return KernelwrightApp(FakeSource, UiOptions(theme=theme, state_dir=Path("unused"), clock=lambda: NOW))


def _pressing(*keys: str, wait_for: str) -> Callable[[Pilot[Ended]], Any]:
    async def before(pilot: Pilot[Ended]) -> None:
        app = pilot.app
        assert isinstance(app, KernelwrightApp)
        await _until(pilot, lambda: app.main.view is not None)
        await pilot.press(*keys)
        await _until(pilot, lambda: wait_for in _text(app) and _focused(app))
        await pilot.pause(0.3)

    return before


async def _until(pilot: Pilot[Ended], holds: Callable[[], bool]) -> None:
    for _ in range(300):
        if holds():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the screen never showed what the snapshot is of")


def _focused(app: KernelwrightApp) -> bool:
    """Whether the keys go where they go at rest: a dialog's first choice, or the list of the tab."""
    focused = app.screen.focused
    return focused is not None and (app.screen is not app.main or focused is app.main.pane.main_list())


def _text(app: KernelwrightApp) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def test_overview_80x24(snap_compare: Compare) -> None:
    assert snap_compare(_app("dark"), terminal_size=(80, 24), run_before=_pressing(wait_for="26.4x"))


def test_judging_120x40(snap_compare: Compare) -> None:
    before = _pressing("4", wait_for="next look 12")
    assert snap_compare(_app("light"), terminal_size=(120, 40), run_before=before)


def test_trees_200x50(snap_compare: Compare) -> None:
    before = _pressing("2", "j", "j", wait_for="difference to its parent")
    assert snap_compare(_app("dark"), terminal_size=(200, 50), run_before=before)


def test_kill_dialog_ansi_80x24(snap_compare: Compare) -> None:
    before = _pressing("3", "j", "x", wait_for="Kill ")
    assert snap_compare(_app("ansi"), terminal_size=(80, 24), run_before=before)
