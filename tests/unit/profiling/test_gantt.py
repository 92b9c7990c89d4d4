"""A call as characters, at fixed widths."""

from kernels.profiling.gantt import gantt, letters, thinned
from kernels.profiling.lanes import Piece
from kernels.profiling.shape import shape_of
from tests.unit.profiling.timelines import two_loops

PIECES = shape_of(two_loops(), 2).pieces
NAMES = letters([p.label for p in sorted(PIECES, key=lambda p: p.begin_ns)])


def test_letters_go_by_first_appearance() -> None:
    assert NAMES == {"before parallel 1": "A", "parallel 1": "B", "prep": "C", "down": "D", "after down": "E"}
    many = letters([f"loop {i}" for i in range(70)])
    assert (many["loop 0"], many["loop 61"], many["loop 62"]) == ("A", "9", "#")


def test_twenty_columns() -> None:
    drawn = gantt(PIECES, 1000, 2, 20, NAMES)
    assert drawn.rows == ("AABBBBBBBB..CCDDDDDD", "..BBBBBBBBBB..DDDDDD")
    assert drawn.ticks == (0, 500, 1000)


def test_ten_columns() -> None:
    assert gantt(PIECES, 1000, 2, 10, NAMES).rows == ("ABBBB.CDDD", ".BBBBB.DDD")


def test_every_width_is_filled() -> None:
    for width in (1, 7, 63, 183):
        assert [len(row) for row in gantt(PIECES, 1000, 2, width, NAMES).rows] == [width, width]


def test_a_column_shows_what_took_most_of_it() -> None:
    pieces = (Piece(0, "a", 0, 4), Piece(0, "b", 4, 10), Piece(0, "a", 10, 13))
    assert gantt(pieces, 20, 1, 2, {"a": "a", "b": "b"}).rows == ("b.",)


def test_a_label_without_a_letter_is_other() -> None:
    assert gantt((Piece(0, "x", 0, 10),), 10, 1, 3, {}).rows == ("###",)


def test_few_pieces_are_kept_as_they_are() -> None:
    assert thinned(PIECES, 1000, 2) == PIECES
