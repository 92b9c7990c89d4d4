"""Keys that come faster than the screen: what is opened has the focus before the next key is looked at."""

import asyncio
import threading
from collections.abc import Sequence

import pytest
from textual.events import Compose, Key
from textual.keys import _character_to_key
from textual.widgets import Input

from app.screens.dialogs import Ask
from app.screens.judging import JudgingPane
from app.screens.log import LogPane
from app.screens.searching import Palette
from app.screens.write import Write
from app.widgets.rows import Rows
from store.views import AgentView
from tests.unit.app_tui.fake_source import FakeSource, verbs
from tests.unit.app_tui.harness import Screen, running


def _at_once(screen: Screen, keys: str) -> None:
    """All in one read, as a slow line brings them."""
    for key in keys:
        screen.app.post_message(Key(_character_to_key(key), key))


async def test_the_palette_gets_what_was_typed_before_it_was_drawn() -> None:
    async with running() as screen:
        _at_once(screen, ":exPHp")
        await screen.until(lambda: isinstance(screen.app.focused, Input) and screen.app.focused.value == "exPHp")
        assert isinstance(screen.app.screen, Palette)
        assert verbs(screen.source) == []


async def test_the_palette_finds_what_was_asked_before_the_store_said_who_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source, answered = FakeSource(), threading.Event()
    agents = source.agents

    def slow() -> Sequence[AgentView]:
        assert answered.wait(60)
        return agents()

    monkeypatch.setattr(source, "agents", slow)
    async with running(source, size=(100, 40), read=False) as screen:
        _at_once(screen, ":pause worker-04")
        await screen.until(lambda: isinstance(screen.app.focused, Input) and screen.app.focused.value.endswith("04"))
        answered.set()
        await screen.until_shown("agent: start nothing new")


async def test_the_filter_gets_what_was_typed_before_it_was_drawn() -> None:
    async with running() as screen:
        await screen.press("7")
        await screen.until_shown("450 filings")
        _at_once(screen, "/prefetch")
        await screen.until_shown("45 filings by time, descending, filter: prefetch")
        assert verbs(screen.source) == []


async def test_a_message_gets_what_was_typed_before_it_was_drawn() -> None:
    async with running() as screen:
        _at_once(screen, "3iPause x")
        await screen.until(lambda: isinstance(screen.app.focused, Input) and screen.app.focused.value == "Pause x")
        assert isinstance(screen.app.screen, Write)


async def test_a_dialog_gets_its_answer_before_it_was_drawn() -> None:
    async with running() as screen:
        await screen.press("3")
        await screen.until_shown("architect-ffn")
        _at_once(screen, "xn")
        await screen.until(lambda: not screen.dialog_open)
        _at_once(screen, "x")
        await screen.until(lambda: isinstance(screen.app.screen, Ask))
        assert verbs(screen.source) == []


async def test_a_tab_that_is_slow_to_be_there_takes_no_focus_from_the_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, compose = asyncio.Event(), LogPane._on_compose

    async def wait(self: LogPane, event: Compose) -> None:
        await go_on.wait()
        await compose(self, event)

    async with running() as screen:
        monkeypatch.setattr(LogPane, "_on_compose", wait)
        _at_once(screen, "9/no such")
        while not (screen.main.line.display and screen.main.line.has_focus):  # noqa: ASYNC110 - as below
            await asyncio.sleep(0)
        go_on.set()
        await screen.until(lambda: screen.main.line.value == "no such")
        await screen.until_shown("0 events", "nothing has 'no such'")
        assert screen.main.line.has_focus and verbs(screen.source) == []


async def test_a_tab_that_is_slow_to_be_there_gets_the_focus(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = asyncio.Event()

    async def wait(_: JudgingPane) -> None:
        await go_on.wait()

    async with running() as screen:
        monkeypatch.setattr(JudgingPane, "_on_compose", wait, raising=False)
        _at_once(screen, "4")
        while not isinstance(screen.main.pane, JudgingPane):  # noqa: ASYNC110 - to settle would wait for the pane
            await asyncio.sleep(0)
        asyncio.get_running_loop().call_later(0.2, go_on.set)
        rows = screen.main.pane.main_list()
        assert isinstance(rows, Rows)
        await screen.until(lambda: screen.app.focused is rows)
