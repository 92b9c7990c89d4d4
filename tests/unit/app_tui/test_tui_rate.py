"""How often the screen looks for news: set by a key or the palette, said, and never in the way of a key."""

from tests.unit.app_tui.fake_source import FakeSource
from tests.unit.app_tui.harness import running


async def test_the_key_goes_through_the_rates_and_the_tab_bar_says_which() -> None:
    async with running() as screen:
        for rate, said in ((2, "2 times a second"), (1, "once a second")):
            await screen.press("u")
            assert screen.main.rate == rate
            await screen.until_shown(f" {rate} Hz", f"the screen looks for news {said}")
        await screen.press("u")
        await screen.until_shown("the screen looks for news 4 times a second")
        assert " Hz" not in screen.text().splitlines()[1]


async def test_one_timer_ticks_at_the_rate() -> None:
    async with running() as screen:
        usual = screen.main._ticker
        assert usual is not None and usual._interval == 0.25
        await screen.press("u", "u")
        slow = screen.main._ticker
        assert slow is not None and slow._interval == 1.0 and usual._task is None


async def test_the_palette_sets_a_rate() -> None:
    async with running(size=(100, 40)) as screen:
        await screen.press("colon", *"rate 1 Hz")
        await screen.until_shown("the screen looks for news once a second")
        await screen.press("down", "enter")
        await screen.until(lambda: screen.main.rate == 1)
        await screen.until_shown(" 1 Hz")


async def test_what_a_key_asks_for_waits_for_no_tick() -> None:
    source = FakeSource()
    async with running(source) as screen:
        screen.main.set_rate(1)
        assert screen.main._ticker is not None
        screen.main._ticker.stop()
        await screen.press("7")
        await screen.until_shown("450 filings")
        await screen.press("1", "p")
        await screen.until_shown("+ pause qkv")
