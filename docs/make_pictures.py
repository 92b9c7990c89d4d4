"""Draws every tab of a finished campaign as an SVG picture beside this file.

    .venv/bin/python -m docs.make_pictures HOME

The clock stands at the campaign's last sign of life; the home is only read.
"""

import asyncio
import sys
from pathlib import Path

from app.options import UiOptions
from app.screens.tabs import TABS
from app.store_source import StoreSource
from app.tui import KernelwrightApp
from app.widgets.plot import load_plotext

HERE = Path(__file__).parent
SIZE = (120, 38)
KEYS = {"Trees": ("j",) * 9, "Judging": ("j", "j"), "Profile": ("j",), "Agents": ("G",)}
"""Pressed in a tab before its picture is taken."""
WHOLE_S = 1.5


def _last_sign(home: Path) -> float:
    source = StoreSource.opened(home, read_only=True)
    try:
        source.changed()
        newest = source.events(-1, 1)
    finally:
        source.close()
    return newest[-1].at if newest else 0.0


async def _draw(home: Path) -> None:
    load_plotext()
    at = _last_sign(home)
    options = UiOptions(theme="dark", read_only=True, state_dir=HERE, clock=lambda: at)
    app = KernelwrightApp(lambda: StoreSource.opened(home, read_only=True), options)
    async with app.run_test(size=SIZE) as pilot:
        while app.main.view is None:
            await pilot.pause(0.1)
        for number, tab in enumerate(TABS, 1):
            await pilot.press(str(number))
            await pilot.pause(WHOLE_S)
            await pilot.press(*KEYS.get(tab.name, ()))
            await pilot.pause(WHOLE_S)
            picture = app.export_screenshot(title=f"Kernelwright: {tab.name}", simplify=True)
            (HERE / f"{tab.name.lower()}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(_draw(Path(sys.argv[1])))
