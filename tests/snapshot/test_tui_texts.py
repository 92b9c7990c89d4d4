"""Every tab as text at three sizes, on seeded data with a frozen clock. `pytest --snapshot-update` draws anew."""

import pytest
from syrupy.assertion import SnapshotAssertion

from app.screens.tabs import TABS
from tests.unit.app_tui.fake_source import FakeSource
from tests.unit.app_tui.harness import running

SIZES = ((80, 24), (120, 40), (200, 50))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_every_tab_reads_as_before(size: tuple[int, int], snapshot: SnapshotAssertion) -> None:
    async with running(FakeSource(agent_count=36, paid=True), size=size) as screen:
        for number, tab in enumerate(TABS, 1):
            await screen.press(str(number))
            await screen.until_shown(f"[{number} {tab.name}]")
            assert await screen.still() == snapshot(name=tab.name)
