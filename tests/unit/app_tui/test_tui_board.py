"""All agents as cards: where there is room for them, with the cursor, marks and commands of the list."""

from collections.abc import Sequence

from app.sanitise import cells
from app.views import Line, plain, width_of
from app.widgets.board import Board
from app.widgets.supplier import Listed
from tests.unit.app_tui.fake_source import FakeSource, verbs
from tests.unit.app_tui.harness import running
from tests.unit.app_tui.test_tui_budget import repainted


class Letters(Listed[str]):
    """Entries as cards of their own letters."""

    def card(self, index: int, width: int, height: int) -> Sequence[Line]:
        return [((self._values[index] * (width - 1), ""),)] * height


async def test_thirty_six_agents_stand_six_by_six_and_are_steered_from_there() -> None:
    async with running(FakeSource(agent_count=36), size=(160, 45)) as screen:
        await screen.press("3")
        await screen.until_shown("36 agents by name", "main", "worker-30", "prefetch T1 4096: try 7")
        board = screen.main.query_one(Board)
        assert board.columns == 6 and board.count() == 36
        assert screen.text().count("worker-") >= 31
        await screen.press("j", "l")
        assert board.cursor == 7
        wanted = str(board.cursor_key)
        await screen.until_shown(f"> {wanted}")
        await screen.press("p")
        await screen.until(lambda: verbs(screen.source) == [("pause", wanted)])
        await screen.press("m", "m", "x")
        await screen.until_shown("Kill 2 agents?")
        await screen.press("escape", "enter")
        await screen.until_shown("-- last lines", "> detail")


async def test_the_list_takes_over_where_cards_are_too_small_or_unwanted() -> None:
    async with running(FakeSource(agent_count=36), size=(160, 45)) as screen:
        await screen.press("3")
        await screen.until_shown("36 agents by name", "arrows go from card to card")
        await screen.press("j")
        key = screen.main.query_one(Board).cursor_key
        await screen.press("t")
        await screen.until(lambda: screen.main.rows() is not screen.main.query_one(Board))
        rows = screen.main.rows()
        assert rows is not None and rows.cursor_key == key
        await screen.press("t")
        await screen.until_shown("arrows go from card to card")
        await screen.pilot.resize_terminal(120, 40)
        await screen.until(lambda: len(screen.text().split("\n")) == 40 and "arrows go" not in screen.text())
        await screen.press("t")
        await screen.until_shown("cards need 160x45")


async def test_one_changed_agent_repaints_its_card_alone() -> None:
    async with running(FakeSource(agent_count=36), size=(200, 50)) as screen:
        await screen.press("3")
        await screen.until_shown("worker-30")
        painted = await repainted(screen, lambda: screen.source.paused.add("worker-07"))
        assert set(painted) == {"agents-board", "tabs"}  # the tabs count who is paused
        board = screen.main.query_one(Board)
        assert painted["agents-board"] <= 2 * board.size.width // board.columns


async def test_a_grid_fits_its_entries_and_no_line_is_wider_than_the_room() -> None:
    async with running(size=(160, 45)) as screen:
        await screen.press("3")
        await screen.until_shown("12 agents by name", "arrows go from card to card")
        board = screen.main.query_one(Board)
        for number, columns in ((1, 1), (4, 2), (9, 3), (12, 4), (36, 6), (50, 6)):
            board.deal(Letters([chr(97 + i % 26) for i in range(number)], str, lambda text, _: ((text, ""),)))
            assert board.columns == columns
            assert all(width_of(board.line(y)[0]) <= board.size.width for y in range(board.count()))
        last = board.line(8 * 6)[0]
        assert cells(plain(last)) < 3 * board.size.width // 6 and plain(last).strip()
