"""What the screen says of a silent engine and of a store that cannot be read."""

import pytest

from app import tui
from app.options import UiOptions
from app.source import SourceError
from store import views as v
from tests.unit.app_tui.fake_source import NOW, FakeSource
from tests.unit.app_tui.harness import NOWHERE, Screen, running


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
