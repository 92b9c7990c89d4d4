"""Pairs as CSV: written from a stored test, read back by `judge replay`."""

import csv
import io
import math
from collections.abc import Iterable
from typing import Final

from store.views import PairView

COLUMNS: Final = ("test", "kernel", "seq", "first", "head_ns", "candidate_ns", "probe_gbs", "mode", "redo_reason", "at")
SIDES: Final = (("head_ns", "candidate_ns"), ("head", "candidate"), ("head_cycles", "candidate_cycles"))
LABELS: Final = ("test", "variant", "kernel")


def write(test: int, kernel: str, pairs: Iterable[PairView]) -> str:
    """Redone pairs, too, with their reason."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(COLUMNS)
    rows.writerows(
        (test, kernel, p.seq, p.first, p.head_ns, p.candidate_ns, p.probe_gbs, p.mode, p.redo_reason, p.at)
        for p in pairs
    )
    return out.getvalue()


def sides_of(columns: Iterable[str]) -> tuple[str, str] | None:
    """The columns of head and candidate; None when the file does not hold pairs."""
    names = set(columns)
    return next((pair for pair in SIDES if names.issuperset(pair)), None)


def read(text: str) -> dict[str, list[tuple[float, float]]]:
    """Kept (head, candidate) pairs by label, in the file's order.

    Raises: ValueError that names the line of a reading that is not a positive number.
    """
    lines = csv.DictReader(text.splitlines())
    sides = sides_of(lines.fieldnames or ())
    if sides is None:
        raise ValueError(f"no columns of pairs: need one of {', '.join('/'.join(s) for s in SIDES)}")
    found: dict[str, list[tuple[float, float]]] = {}
    for number, row in enumerate(lines, start=2):
        if row.get("redo_reason", "") != "":
            continue
        label = " ".join(f"test {row[n]}" if n == "test" else str(row[n]) for n in LABELS if n in row) or "pairs"
        found.setdefault(label, []).append((_number(row, sides[0], number), _number(row, sides[1], number)))
    return found


def _number(row: dict[str, str | None], column: str, line: int) -> float:
    try:
        value = float(row[column] or "")
    except ValueError as wrong:
        raise ValueError(f"line {line}: {column} is {row[column]!r}, not a number") from wrong
    if not (math.isfinite(value) and value > 0):
        raise ValueError(f"line {line}: {column} is {value:g}, a reading must be finite and > 0")
    return value
