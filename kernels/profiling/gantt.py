"""A call as characters: a row a thread, a column a stretch of time, a letter a span."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final

from kernels.profiling.lanes import Piece

LETTERS: Final = ascii_uppercase + ascii_lowercase + digits
IDLE: Final = "."
OTHER: Final = "#"
KEPT_COLUMNS: Final = 480
KEPT_PIECES: Final = 3000


@dataclass(frozen=True, slots=True)
class Gantt:
    """rows: by thread, as wide as asked for. ticks: the scale below them: its ends and its middle in nanoseconds."""

    rows: tuple[str, ...]
    ticks: tuple[float, float, float]


def letters(labels: Sequence[str]) -> dict[str, str]:
    """A letter for each label in order; there are 62, all further ones are `#`."""
    distinct = list(dict.fromkeys(labels))
    return {label: LETTERS[i] if i < len(LETTERS) else OTHER for i, label in enumerate(distinct)}


def gantt(pieces: Sequence[Piece], total_ns: float, threads: int, width: int, names: Mapping[str, str]) -> Gantt:
    """names: the letter of each label. A column shows what its thread did for most of the time; "." when that was
    nothing."""
    cells = raster(pieces, total_ns, threads, width)
    rows = tuple("".join(IDLE if label is None else names.get(label, OTHER) for label in row) for row in cells)
    return Gantt(rows, (0.0, total_ns / 2, total_ns))


def raster(pieces: Sequence[Piece], total_ns: float, threads: int, columns: int) -> list[list[str | None]]:
    """By thread and column the label that took most of it, None where idling did."""
    step = total_ns / columns
    spent: list[list[dict[str, float]]] = [[{} for _ in range(columns)] for _ in range(threads)]
    for piece in pieces:
        if 0 <= piece.thread < threads:
            _spread(spent[piece.thread], piece, step)
    return [[_most(cell, step) for cell in row] for row in spent]


def _spread(row: list[dict[str, float]], piece: Piece, step: float) -> None:
    first = max(0, int(piece.begin_ns / step))
    last = min(len(row) - 1, int(piece.end_ns / step))
    for column in range(first, last + 1):
        within = min(piece.end_ns, (column + 1) * step) - max(piece.begin_ns, column * step)
        if within > 0:
            row[column][piece.label] = row[column].get(piece.label, 0.0) + within


def _most(cell: Mapping[str, float], step: float) -> str | None:
    if not cell:
        return None
    label, ns = max(cell.items(), key=lambda item: item[1])
    return label if ns >= step - sum(cell.values()) else None


def thinned(pieces: Sequence[Piece], total_ns: float, threads: int) -> tuple[Piece, ...]:
    """The pieces when they are few, else as many as a picture of 480 columns has (fewer for very many threads)."""
    if len(pieces) <= KEPT_PIECES:
        return tuple(pieces)
    columns = max(1, min(KEPT_COLUMNS, KEPT_PIECES // threads))
    step = total_ns / columns
    cells = raster(pieces, total_ns, threads, columns)
    return tuple(
        Piece(thread, label, first * step, last * step)
        for thread, row in enumerate(cells)
        for label, first, last in _runs(row)
    )


def _runs(row: Sequence[str | None]) -> Iterator[tuple[str, int, int]]:
    """(label; first column; column behind the last) of neighbours that are alike."""
    at = 0
    for label, run in groupby(row):
        length = len(list(run))
        if label is not None:
            yield label, at, at + length
        at += length
