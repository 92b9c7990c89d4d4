"""A CSV file of filings, read into values: every bad row is named with its line, and none is dropped.

Columns: `timestamp_utc`, and one `KERNEL_cycles` a kernel or `geomean_speedup` or both; `order`, `team`, `kind`,
`variant`, `submission_or_job` and `source` when there are any. Other columns are left out, and named.
"""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from app.history import cells
from app.settings import UsageError

T = TypeVar("T")
CYCLES: Final = "_cycles"
TEXTS: Final = ("timestamp_utc", "team", "kind", "variant", "submission_or_job", "source")
KNOWN: Final = frozenset({"order", "geomean_speedup", "geomean_recomputed", *TEXTS})
LIMIT_BYTES: Final = 64 << 20
TOLD: Final = 10


@dataclass(frozen=True, slots=True)
class Row:
    """One filing. line: where it ends in the file; moment: of its time; cycles: by kernel, complete or empty; score:
    as published."""

    line: int
    place: int
    moment: cells.Moment
    texts: Mapping[str, str]
    cycles: Mapping[str, float]
    score: float | None


@dataclass(frozen=True, slots=True)
class History:
    """kernels: in the order of their columns; left_out: columns that say nothing here; data: the bytes of the file."""

    kernels: tuple[str, ...]
    rows: tuple[Row, ...]
    left_out: tuple[str, ...]
    data: bytes


def read(path: Path) -> History:
    """Raises: UsageError that names the file, up to ten bad lines, and what to do."""
    data = _bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 (byte {error.start}); save it as UTF-8") from error
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = _header(path, lines)
        kernels = tuple(name.removesuffix(CYCLES) for name in header if name.endswith(CYCLES))
        rows = _rows(path, header, kernels, lines)
    except csv.Error as error:
        raise UsageError(f"{path} line {lines.line_num}: no CSV ({error}); mend the quotes of that line") from error
    return History(kernels, rows, tuple(n for n in header if n not in KNOWN and not n.endswith(CYCLES)), data)


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > LIMIT_BYTES:
            raise UsageError(f"{path} has {path.stat().st_size} bytes; at most {LIMIT_BYTES} are read: split it")
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}; name a CSV file") from error


def _header(path: Path, lines: Iterator[list[str]]) -> list[str]:
    header: list[str] = [name.strip() for name in next(lines, [])]
    twice = sorted({name for name in header if header.count(name) > 1})
    measured = "geomean_speedup" in header or any(n.endswith(CYCLES) and n != CYCLES for n in header)
    if twice:
        raise UsageError(f"{path} line 1: column {', '.join(twice)} stands there more than once; keep one of each")
    if "timestamp_utc" not in header or not measured:
        raise UsageError(
            f"{path} line 1: found the columns {', '.join(header)[:200] or 'none'}; a history has timestamp_utc, and"
            " KERNEL_cycles for each kernel or geomean_speedup"
        )
    return header


def _rows(path: Path, header: Sequence[str], kernels: Sequence[str], lines: Iterator[list[str]]) -> tuple[Row, ...]:
    """`lines`: a csv reader behind its header."""
    found: list[Row] = []
    bad: list[str] = []
    places: dict[int, int] = {}
    for values in lines:
        line = int(getattr(lines, "line_num", 0))
        if not values:
            continue
        try:
            row = _row(line, header, kernels, values, len(found) + 1)
            if row.place in places:
                raise cells.CellError(
                    f"order {row.place} stands on line {places[row.place]} too", "give every row its own"
                )
        except cells.CellError as error:
            bad.append(f"line {line}: {error}")
            continue
        places[row.place] = line
        found.append(row)
    if bad:
        more = f"\n  and {len(bad) - TOLD} more" if len(bad) > TOLD else ""
        told = "\n  ".join(bad[:TOLD])
        raise UsageError(f"{path}: {len(bad)} bad rows, nothing was imported\n  {told}{more}")
    if not found:
        raise UsageError(f"{path} has a header and no row; nothing was imported")
    return tuple(found)


def _row(line: int, header: Sequence[str], kernels: Sequence[str], values: Sequence[str], count: int) -> Row:
    """Raises: CellError that names the column."""
    if len(values) != len(header):
        raise cells.CellError(f"{len(values)} cells under {len(header)} columns", "quote a cell that has a comma in it")
    named = dict(zip(header, values, strict=True))
    score = _cell("geomean_speedup", named, cells.score)
    cycles = {kernel: _cell(kernel + CYCLES, named, cells.cycles) for kernel in kernels}
    known = {kernel: value for kernel, value in cycles.items() if value is not None}
    if 0 < len(known) < len(kernels):
        without = ", ".join(k + CYCLES for k in kernels if k not in known)
        raise cells.CellError(f"{without} is empty beside others", "give the cycles of every kernel or of none")
    if not known and score is None:
        raise cells.CellError("neither cycles nor a score", "give one of them, or take the row out")
    place = _cell("order", named, cells.place)
    texts = {name: cells.words(named.get(name, "")) for name in TEXTS}
    when = _cell("timestamp_utc", named, cells.moment) or cells.Moment(0.0, "")
    return Row(line, count if place is None else place, when, texts, known, score)


def _cell(name: str, named: Mapping[str, str], read: Callable[[str], T]) -> T | None:
    if name not in named:
        return None
    try:
        return read(named[name])
    except cells.CellError as error:
        raise cells.CellError(f"{name}", str(error)) from error
