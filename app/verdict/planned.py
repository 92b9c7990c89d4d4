"""Planned against real from a CSV of anybody's: one row a candidate, a line a group of rows."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from app.settings import UsageError
from kernels.profiling.agreement import Agreement, agreement, same_sign

PLANNED: Final = ("planned", "planned_ns", "planned_cycles", "static", "static_cycles", "estimate")
REAL: Final = ("real", "real_ns", "real_cycles", "device", "device_cycles", "measured")
DELTAS: Final = (("planned_delta", "real_delta"), ("static_delta", "device_delta"))
GROUPS: Final = ("kernel", "source_repo", "team", "device", "target")
Row = Mapping[str, str]
Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """planned, real: columns, "" for the usual names. by: columns that make the groups, () for the usual ones. where:
    COLUMN=PATTERN that rows must fit. below: only rows planned below it."""

    planned: str = ""
    real: str = ""
    by: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    below: float | None = None


def of_file(file: Path, asked: Asked) -> Found:
    """Raises: UsageError when the file cannot be read, or has no columns of planned and real."""
    rows = _rows(file)
    names = list(rows[0]) if rows else []
    planned = _column(file, names, asked.planned, PLANNED)
    real = _column(file, names, asked.real, REAL)
    by = asked.by or tuple(name for name in GROUPS if name in names and name not in (planned, real))
    for name in by:
        _column(file, names, name, ())
    kept = [row for row in rows if _fits(row, names, asked.where, file)]
    groups: dict[tuple[str, ...], list[tuple[float, float]]] = {}
    for row in kept:
        pair = _pair(row, planned, real)
        if pair is not None and (asked.below is None or pair[0] < asked.below):
            groups.setdefault(tuple(row[name] for name in by), []).append(pair)
    if not groups:
        raise UsageError(f"{file}: no row has a number above 0 in both {planned} and {real}")
    found = [_group(dict(zip(by, key, strict=True)), pairs) for key, pairs in groups.items()]
    return {"source": str(file), "planned": planned, "real": real, "by": list(by), "groups": found,
            "signs": _signs(kept, names)}  # fmt: skip


def _rows(file: Path) -> list[Row]:
    try:
        rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8-sig"))))
    except OSError as error:
        raise UsageError(f"planned times {file}: {error.strerror or error}; give a CSV file") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"planned times {file}: {error}; give a CSV file with a header") from error
    if any(None in row or None in row.values() for row in rows):
        raise UsageError(f"planned times {file}: a row has more or fewer fields than the header names")
    return [dict(row) for row in rows]


def _column(file: Path, names: Sequence[str], asked: str, usual: Sequence[str]) -> str:
    found = asked if asked in names else next((name for name in usual if not asked and name in names), "")
    if not found:
        wanted = f"no column {asked!r}" if asked else f"none of the columns {', '.join(usual)}"
        raise UsageError(f"planned times {file}: {wanted}; it has {', '.join(names) or 'no rows'}; see --help")
    return found


def _fits(row: Row, names: Sequence[str], where: Sequence[str], file: Path) -> bool:
    for condition in where:
        name, separator, pattern = condition.partition("=")
        if not separator:
            raise UsageError(f"--where {condition}: give COLUMN=PATTERN")
        if not fnmatchcase(row[_column(file, names, name, ())], pattern):
            return False
    return True


def _pair(row: Row, planned: str, real: str) -> tuple[float, float] | None:
    """None where one of both is missing or no time."""
    values = (_number(row[planned]), _number(row[real]))
    return values if min(values) > 0 else None


def _number(text: str) -> float:
    """0 for what is no finite number."""
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if abs(value) < float("inf") else 0.0


def _group(label: dict[str, str], pairs: Sequence[tuple[float, float]]) -> Found:
    found = agreement(*zip(*pairs, strict=True))
    if found is None:
        raise ValueError("a group without rows")
    return {**label, **asdict(found), "text": found.text}


def _signs(rows: Sequence[Row], names: Sequence[str]) -> Found | None:
    """Of differences to a parent, where the file has them."""
    columns = next((pair for pair in DELTAS if set(pair) <= set(names)), None)
    if columns is None:
        return None
    planned, real = ([_number(row[name]) for row in rows] for name in columns)
    agreeing, of = same_sign(planned, real)
    return {"agreeing": agreeing, "of": of}


def text(found: Found) -> str:
    """A line a group, as wide as its labels need."""
    labels = [" ".join(str(one[name]) for name in found["by"]) for one in found["groups"]]
    width = max(len("group"), *map(len, labels))
    lines = [f"{found['source']}: {found['real']} / {found['planned']}"]
    lines.append(f"{'group':{width}}     n  median (min..max)       rank  error p50/p90")
    lines += [_line(label, one, width) for label, one in zip(labels, found["groups"], strict=True)]
    if found["signs"]:
        lines.append(f"signs of differences agree in {found['signs']['agreeing']} of {found['signs']['of']}")
    lines.append("error: how far a guess by the group's median ratio is off")
    return "\n".join(lines)


def _line(label: str, one: Found, width: int) -> str:
    said = Agreement(**{name: one[name] for name in Agreement.__dataclass_fields__})
    rank = "   - " if said.rank is None else f"{said.rank:5.2f}"
    ratio = f"{said.ratio:6.2f} ({said.ratio_low:.2f}..{said.ratio_high:.2f})"
    trust = said.text.rpartition(": ")[2]
    errors = f"{100 * said.error:.1f} % / {100 * said.error_p90:.1f} %"
    return f"{label:{width}} {said.n:5}  {ratio:22} {rank}  {errors:17} {trust}"
