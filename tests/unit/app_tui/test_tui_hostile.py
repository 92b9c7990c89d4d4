"""Text that wants to harm the screen, in every view; windows of every size; no colour; ASCII."""

import os
import random
from collections.abc import Sequence

import pytest
from rich.color import Color, ColorSystem

from app import colours, themes
from app.sanitise import cells
from app.screens.tabs import TABS
from app.widgets.bars import Bar, KeyBar, TabBar
from tests.unit.app_tui.fake_source import FakeSource
from tests.unit.app_tui.harness import Screen, running

HOSTILE = (
    "[bold red]markup[/] [/] [@click=app.quit]x[/]" + "\x1b[2J\x1b]52;c;ZXZpbA==\x07\x1b[?1049l",
    "nul\x00 bell\x07 back\x08\x7f \x9b31m" + "\U0001f600\U0001f468\u200d\U0001f469 \u6f22\u5b57",
    "\u05e9\u05dc\u05d5\u05dd \u202e evil \u2066" + "z\u0335\u0316\u0324a\u0300" * 30 + "\ud800 lone",
    "line\nbreak\r\n\ttab" + "x" * 10_000,
)


def drawn(screen: Screen) -> list[str]:
    return screen.text().split("\n")


@pytest.mark.parametrize(
    "text",
    [*HOSTILE[:2], *(pytest.param(text, marks=pytest.mark.long) for text in HOSTILE[2:])],
    ids=range(len(HOSTILE)),
)
async def test_hostile_text_is_literal_and_inside_every_view(text: str) -> None:
    size = (160, 45) if text == HOSTILE[1] else (100, 30)  # with room for cards, and without
    async with running(FakeSource(text=text, agent_count=8, filing_count=20, event_count=20), size=size) as screen:
        for number in range(1, len(TABS) + 1):
            await screen.press(str(number))
            await screen.until_shown(f"[{number} ")
            await screen.press("j", "enter", "x")
            await screen.until(lambda: len(drawn(screen)) == size[1])
            for line in drawn(screen):
                assert cells(line) <= size[0]
                assert all(c.isprintable() for c in line), repr(line)
            await screen.press("escape", "escape")
        await screen.press("p")
        assert screen.app._exception is None


def _noise(seed: int) -> str:
    rng = random.Random(seed)
    pools = ("[]/\\@=", "\x1b\x00\x07\n\r\t\x9b", "abc 123", "\u0300\u200d\u202e\ufeff\ud83d", "\u6f22\U0001f4a9\u0645")
    return "".join(rng.choice(rng.choice(pools)) for _ in range(rng.randrange(1, 400)))


@pytest.mark.parametrize("seed", range(1))
async def test_noise_in_every_field(seed: int) -> None:
    async with running(FakeSource(text=_noise(seed), agent_count=6, filing_count=9, event_count=9)) as screen:
        for number in range(1, len(TABS) + 1):
            await screen.press(str(number))
            await screen.until_shown(f"[{number} ")
            await screen.press("enter", "slash", "[", "b", "enter", "escape", "escape", "colon", "a", "escape")
            assert all(c.isprintable() for line in drawn(screen) for c in line)
        assert screen.app._exception is None


STORM = ((1, 1), (20, 5), (59, 15), (60, 14), (60, 15), (79, 24), (300, 100), (100, 15), (80, 24))


@pytest.mark.parametrize("sizes", [STORM[1::2], pytest.param(STORM, marks=pytest.mark.long)], ids=("some", "all"))
async def test_resize_storm_and_tiny_windows(sizes: Sequence[tuple[int, int]]) -> None:
    async with running() as screen:
        for size in sizes:
            await screen.pilot.resize_terminal(*size)
            for key in ("1", "2", "3", "4", "5", "6", "7", "8", "9"):
                await screen.press(key)
            small = size[0] < 60 or size[1] < 15
            if small and size != (1, 1):
                words = f"too small, need 60x15, have {size[0]}x{size[1]}"
                await screen.until(lambda said=words: said in " ".join(screen.text().split()), words)
            elif not small:
                await screen.until_shown("[9 Log]")


async def test_the_lines_around_a_tab_are_right_before_they_are_laid_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine paints what they said before; what was not to be seen had no width."""
    async with running(size=(100, 30)) as screen:
        await screen.until(lambda: screen.main.view)
        await screen.pilot.resize_terminal(20, 5)
        screen.main.show_bars()
        for bar in (Bar, TabBar, KeyBar):
            monkeypatch.setattr(bar, "on_resize", lambda _bar: None)
        await screen.pilot.resize_terminal(80, 24)
        await screen.settle()
        header, tabs, *_, footer = screen.text().splitlines()
        assert header.startswith(" Kernelwright  gemma_decode on cpu-c") and tabs.startswith("[1 Overview] 2 ")
        assert header.endswith("device 57 %") and footer.endswith("? help  q detach")


@pytest.mark.parametrize(
    ("keys", "shown"), [("x", "type qkv to confirm"), ("i", "enter sends"), (":", "filter"), (":pause q", "pause qkv")]
)
async def test_dialogs_and_palette_are_ascii_too(keys: str, shown: str) -> None:
    async with running(ascii_only=True, size=(100, 30)) as screen:
        await screen.press(*keys)
        await screen.until_shown(shown)
        assert screen.text().isascii(), screen.text()


async def test_ascii_mode_draws_ascii_only() -> None:
    async with running(ascii_only=True, size=(120, 40)) as screen:
        for number in range(1, len(TABS) + 1):
            await screen.press(str(number))
            await screen.until_shown(f"[{number} ")
            assert screen.text().isascii()
        await screen.press("3", "q")
        await screen.until_shown("Leave?")
        assert screen.text().isascii()


@pytest.mark.parametrize("theme", themes.NAMES)
async def test_every_theme_draws(theme: str) -> None:
    async with running(theme=theme) as screen:
        assert screen.app.theme == theme
        await screen.press("3")
        await screen.until_shown("architect-attn_out")
        await screen.press("x")
        await screen.until_shown("Kill architect-attn_out?")


@pytest.mark.parametrize(("variable", "color"), [("1", "auto"), ("", "none")])
async def test_no_color_means_no_colour(monkeypatch: pytest.MonkeyPatch, variable: str, color: str) -> None:
    """Only the terminal's own foreground and background are asked for; the cursor shows by reverse video."""
    monkeypatch.setenv("NO_COLOR", variable)
    async with running(color=color) as screen:
        assert screen.app.theme == "ansi" and screen.app.native_ansi_color
        styles = {segment.style for strip in screen.app.screen._compositor.render_strips() for segment in strip}
        shown = [style for style in styles if style is not None]
        assert any(style.reverse for style in shown)
        filters = screen.app.get_line_filters()
        assert any(type(used).__name__ == "NoColor" for used in filters)
    assert os.environ["NO_COLOR"] == variable


@pytest.mark.parametrize(("variable", "color"), [("", "auto"), ("1", "256"), ("1", "truecolor")])
async def test_an_empty_no_color_and_an_option_leave_colours(
    monkeypatch: pytest.MonkeyPatch, variable: str, color: str
) -> None:
    monkeypatch.setenv("NO_COLOR", variable)
    async with running(color=color) as screen:
        assert screen.app.theme == "dark" and not screen.app.no_color
        assert all(type(used).__name__ == "ANSIToTruecolor" for used in screen.app.get_line_filters())


@pytest.mark.parametrize(
    ("asked", "color", "environment", "chosen"),
    [
        ("", "auto", {"TERM": "xterm-256color"}, "dark"),
        ("", "auto", {"TERM": "linux"}, "ansi"),
        ("", "auto", {"TERM": "linux", "COLORTERM": ""}, "ansi"),
        ("", "256", {"TERM": "linux"}, "dark"),
        ("", "16", {"TERM": "xterm-256color"}, "ansi"),
        ("light", "16", {}, "light"),
        ("light", "auto", {"TERM": "linux"}, "light"),
        ("light", "auto", {"NO_COLOR": "1"}, "ansi"),
        ("light", "none", {}, "ansi"),
        ("light", "16", {"NO_COLOR": "1"}, "light"),
        ("nonsense", "auto", {"TERM": "xterm", "COLORTERM": "truecolor"}, "dark"),
    ],
)
def test_theme_fits_the_terminal(asked: str, color: str, environment: dict[str, str], chosen: str) -> None:
    assert themes.choose(asked, colours.settled(color, environment), environment) == chosen


def test_bars_are_grey_in_256_colours() -> None:
    for theme in (themes.DARK, themes.LIGHT):
        number = Color.parse(str(theme.panel)).downgrade(ColorSystem.EIGHT_BIT).number
        assert number is not None and number >= 232


@pytest.mark.parametrize("theme", ["dark", "ansi"])
async def test_dialogs_stand_in_the_middle_of_the_screen_that_they_are_about(theme: str) -> None:
    async with running(size=(100, 30), theme=theme) as screen:
        for key in ("q", "i", "question_mark"):
            await screen.press(key)
            await screen.until(lambda: screen.app.screen.query("#dialog, #sheet"))
            box = screen.app.screen.query("#dialog, #sheet").first().region
            assert abs(box.x - (100 - box.right)) <= 1 and abs(box.y - (30 - box.bottom)) <= 1
            assert screen.app.screen.styles.background.is_transparent or theme == "dark"
            await screen.press("escape")
            await screen.until(lambda: screen.app.screen is screen.main)


async def test_no_campaign_yet_and_no_rows_anywhere() -> None:
    source = FakeSource(no_campaign=True, kernels=(), agent_count=0, filing_count=0, event_count=0)
    source.agents = lambda lines=0: ()
    source.tests = lambda limit=200: ()
    async with running(source) as screen:
        await screen.until_shown("no campaign yet")
        for number in range(1, len(TABS) + 1):
            await screen.press(str(number), "j", "G", "g", "k", "enter", "escape", "y", "s", "p", "x", "m", "h", "l")
            await screen.until_shown(f"[{number} ")
        assert screen.app._exception is None
