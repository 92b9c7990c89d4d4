"""Only what differs is painted again, and then the screen reads as if all had been."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.sanitise import clean
from app.screens.rounds import Question, ask
from app.views import Line, Tone
from app.widgets.lines import FAR, changed, narrow
from tests.unit.app_tui.fake_source import FakeSource
from tests.unit.app_tui.harness import running
from tests.unit.app_tui.test_tui_budget import repainted

TONES: st.SearchStrategy[Tone] = st.sampled_from(["", "good", "dim"])
LINES: st.SearchStrategy[Line] = st.lists(
    st.tuples(st.text(alphabet="abc 12\x1b\té漢", max_size=6), TONES), max_size=5
).map(tuple)


@given(LINES, LINES)
def test_painting_the_changed_part_gives_the_new_line(old: Line, new: Line) -> None:
    start, end = changed(old, new)
    if not all(narrow(text) for text, _ in (*old, *new)):
        assert (start, end) == (0, FAR)
        return
    before = [(mark, tone) for text, tone in old for mark in clean(text)]
    after = [(mark, tone) for text, tone in new for mark in clean(text)]
    width = max(len(before), len(after))
    blank: tuple[str, Tone] = (" ", "")
    screen = before + [blank] * (width - len(before))
    wanted = after + [blank] * (width - len(after))
    screen[start:end] = wanted[start:end]
    assert screen == wanted


def test_lines_that_read_the_same_have_no_changed_part() -> None:
    start, end = changed((("ab", ""), ("c", "good")), (("a", ""), ("b", ""), ("c", "good")))
    assert start == end


async def test_a_changed_number_repaints_its_cells_and_not_the_row() -> None:
    async with running(FakeSource(agent_count=36), size=(150, 50)) as screen:
        await screen.press("3")
        await screen.until_shown("worker-30")
        painted = await repainted(screen, lambda: screen.source.paused.add("worker-07"))
        assert 0 < painted["agents-rows"] < screen.panel("#agents-rows").size.width
        await screen.until(lambda: "paused" in screen.text())


async def test_a_line_that_goes_on_says_so_also_when_only_that_has_changed() -> None:
    async with running(size=(100, 30)) as screen:
        panel = screen.panel("#trust")
        seen = panel.scrollable_content_region.width

        async def drawn(*lines: Line) -> str:
            panel.show(lines)
            await screen.settle()
            return screen.text().splitlines()[panel.content_region.y][1 : seen + 1]

        fits = "x" * seen
        assert await drawn(((fits, ""),)) == fits
        assert await drawn(((fits + "y", ""),)) == fits[:-1] + "~"
        assert await drawn(((fits + "   ", ""),)) == fits
        assert await drawn(((fits + "yz", ""),)) == fits[:-1] + "~"


def test_news_are_read_when_they_are_due_and_not_before() -> None:
    source = FakeSource()
    question = Question(False, False, False, False, 0, (), None, None)
    source.touch()
    waiting = ask(question, source)
    assert waiting.stale and not waiting.fresh and source.reads.get("overview", 0) == 0
    due = ask(replace(question, due=True, stale=waiting.stale), source)
    assert due.fresh and due.overview is not None
    again = ask(replace(question, due=True, stale=due.stale), source)
    assert not again.fresh and not again.whole
