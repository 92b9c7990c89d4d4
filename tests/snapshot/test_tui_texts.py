"""Every tab as text at three sizes, on seeded data with a frozen clock. `pytest --snapshot-update` draws anew."""

import pytest
from syrupy.assertion import SnapshotAssertion

from app.screens.tabs import TABS
from tests.unit.app_tui.fake_source import FakeSource
from tests.unit.app_tui.harness import Screen, running

SIZES = ((80, 24), (120, 40), (200, 50))
STILL = 5
"""Equal looks, 20 ms apart, after which a tab is taken to be whole."""


async def _still(screen: Screen) -> str:
    """The text once a reading of the tab has ended and nothing changes any more."""
    main, seen = screen.main, list[str]()

    def rests() -> bool:
        if not seen and (main._busy or main._full or main._detail):
            return False
        seen.append(screen.text())
        return len(seen) >= STILL and len(set(seen[-STILL:])) == 1

    await screen.until(rests, "the tab never came to rest")
    return seen[-1]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_every_tab_reads_as_before(size: tuple[int, int], snapshot: SnapshotAssertion) -> None:
    async with running(FakeSource(agent_count=36, paid=True), size=size) as screen:
        for number, tab in enumerate(TABS, 1):
            await screen.press(str(number))
            await screen.until_shown(f"[{number} {tab.name}]")
            assert await _still(screen) == snapshot(name=tab.name)
