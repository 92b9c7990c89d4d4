"""The mouse: a key of the footer that is clicked does what the key does; without a mouse nothing is reported."""

import pytest

from app.keys import footer_keys
from app.screens.dialogs import Ask, Help
from app.screens.searching import Palette
from tests.unit.app_tui.fake_source import verbs
from tests.unit.app_tui.harness import Screen, running


async def click(screen: Screen, words: str, *, into: int = 0) -> None:
    """On the footer, `into` cells after where the words begin."""
    footer = screen.main.keys_bar
    x = screen.text().splitlines()[footer.region.y].index(words) + into
    await screen.pilot.click(offset=(x, footer.region.y))
    await screen.settle()


async def test_a_click_on_a_footer_key_does_what_the_key_does() -> None:
    async with running(size=(140, 30)) as screen:
        await screen.until(lambda: screen.main.view)
        await click(screen, "p pause")
        await screen.until(lambda: verbs(screen.source) == [("pause", "qkv")])
        await click(screen, "space freeze", into=len("space f"))
        await screen.until_shown("view frozen")
        await click(screen, "/ filter")
        assert not screen.main.line.display or screen.main.line.has_focus
        for words, opens in (("x kill", Ask), (": command", Palette), ("? help", Help), ("q detach", Ask)):
            await click(screen, words, into=2)
            await screen.until(lambda wanted=opens: isinstance(screen.app.screen, wanted), f"{words} opened nothing")
            await screen.press("escape")
            await screen.until(lambda: screen.app.screen is screen.main)
        assert verbs(screen.source) == [("pause", "qkv")]


@pytest.mark.parametrize("keymap", [{}, {"steer.pause": "f7,b"}], ids=["usual keys", "own keys"])
async def test_between_two_keys_and_behind_the_last_a_click_does_nothing(keymap: dict[str, str]) -> None:
    async with running(size=(140, 30), keymap=keymap) as screen:
        await screen.until(lambda: screen.main.view)
        pause = f"{keymap.get('steer.pause', 'p').replace(',', ' ')} pause"
        for words, into in ((pause, len(pause)), (pause, -1), ("q detach", len("q detach") + 3)):
            await click(screen, words, into=into)
        assert screen.app.screen is screen.main and verbs(screen.source) == []
        await click(screen, pause, into=len(pause) - 1)
        await screen.until(lambda: verbs(screen.source) == [("pause", "qkv")])


async def test_in_a_narrow_window_a_click_meets_the_key_that_stands_there() -> None:
    async with running(size=(60, 20)) as screen:
        shown = screen.text().splitlines()[-1]
        assert sum(f"{key.shown} {key.title}" in shown for key in footer_keys()) < len(footer_keys())
        await click(screen, "? help")
        await screen.until(lambda: isinstance(screen.app.screen, Help))
