"""How often the screen looks for news: set by a key or the palette, said, and never in the way of a key."""

import math

from tests.unit.app_tui.fake_source import NOW, FakeSource
from tests.unit.app_tui.harness import running


async def test_the_key_goes_through_the_rates_and_the_tab_bar_says_which() -> None:
    async with running() as screen:
        for wait in (1.0, 2.0, 5.0):
            await screen.press("u")
            assert screen.main.wait_s == wait
            await screen.until_shown(f" news every {wait:g} s", f"the screen looks for news every {wait:g} s")
        await screen.press("u")
        await screen.until_shown("the screen looks for news 4 times a second")
        assert "news" not in screen.text().splitlines()[1]


async def test_between_two_looks_nothing_is_read_but_what_a_key_asks_for() -> None:
    source = FakeSource()
    async with running(source) as screen:
        screen.main.look_every(5.0)
        screen.main._next_look = math.inf
        await screen.still()
        source.touch()
        before = source.reads["overview"]
        for _ in range(8):
            screen.main._tick()
            await screen.settle()
        assert source.reads["overview"] == before
        await screen.press("7")
        await screen.until_shown("450 filings")


async def test_the_palette_sets_a_rate() -> None:
    async with running(size=(100, 40)) as screen:
        await screen.press("colon", *"news every 5 s")
        await screen.until_shown("the screen looks for news every 5 s")
        await screen.press("down", "enter")
        await screen.until(lambda: screen.main.wait_s == 5.0)
        await screen.until_shown(" news every 5 s")


async def test_a_command_is_watched_until_it_is_answered() -> None:
    source = FakeSource(answer="taken")
    async with running(source) as screen:
        screen.main.look_every(5.0)
        await screen.press("p")
        await screen.until(screen.main.notices.pending)
        screen.main._next_look = math.inf
        source.answer = "done"
        await screen.until_shown("+ pause qkv")


async def test_a_notice_goes_in_time_at_every_rate() -> None:
    at = [NOW]
    async with running(clock=lambda: at[0]) as screen:
        screen.main.look_every(5.0)
        screen.main._next_look = math.inf
        await screen.until_shown("the screen looks for news every 5 s")
        at[0] += 60.0
        await screen.until(lambda: "the screen looks for news" not in screen.text())
