"""Counters of the GPU by Nsight Compute: the command that asks for them, and the CSV that it prints.

Two pages are read, whichever it is. `ncu --csv --page details` has a line a metric. `ncu --csv --page raw` has a line a
launch and a column a metric; its second line has units alone. The columns are named in the first line that begins with
a quotation mark; lines of `==PROF==` and of the profiled program may stand around it. Numbers have commas between
thousands. Source: Nsight Compute CLI, sections "Output Pages" and "Command Line Options", and reports of 2020.1 to
2025.4 in public tests.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

TIME, MOVED = "gpu__time_duration.sum", "dram__bytes.sum"
METRICS: Final[Mapping[str, str]] = {
    TIME: "time",
    MOVED: "bytes of device memory",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": "multiprocessors busy",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": "device memory busy",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "warps of those that fit",
    "sm__inst_executed_pipe_tensor.sum": "tensor instructions",
    "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct": "waiting for memory",
    "smsp__warp_issue_stalled_barrier_per_warp_active.pct": "waiting at barriers",
    "l1tex__data_bank_conflicts_pipe_lsu.sum": "bank conflicts of shared memory",
}
"""What is asked for, and what it says."""
_KERNEL, _NAME, _UNIT, _VALUE, _LAUNCH = "Kernel Name", "Metric Name", "Metric Unit", "Metric Value", "ID"
_METRIC: Final = re.compile(r"[a-z][a-z0-9]*__\w+(\.\w+)*")
"""A column of a metric: unit, two underscores, name and what was made of it."""
_TIMES: Final = {
    "s": 1e9, "second": 1e9, "ms": 1e6, "msecond": 1e6, "us": 1e3, "usecond": 1e3, "ns": 1.0, "nsecond": 1.0,
}  # fmt: skip
_BYTES: Final = {"byte": 1.0, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "Tbyte": 1e12}


class NoCounters(Exception):
    """ncu gave none: what it said instead."""


@dataclass(frozen=True, slots=True)
class Counters:
    """Of one launch. values: by metric; times in nanoseconds, sizes in bytes, everything else as it stands."""

    launch: str
    kernel: str
    values: dict[str, float] = field(default_factory=dict)

    @property
    def ns(self) -> float | None:
        return self.values.get(TIME)

    @property
    def gbs(self) -> float | None:
        """Bytes of device memory a nanosecond."""
        moved, ns = self.values.get(MOVED), self.ns
        return moved / ns if moved is not None and ns is not None and ns > 0 else None


def command(ncu: Path, program: Sequence[str], metrics: Sequence[str] = tuple(METRICS)) -> list[str]:
    """Words that profile every launch of a program and print nothing but the report."""
    return [
        str(ncu),
        "--csv",
        "--page",
        "raw",
        "--metrics",
        ",".join(metrics),
        "--target-processes",
        "all",
        *program,
    ]


def read(text: str) -> list[Counters]:
    """One for each launch, in order. Raises: NoCounters."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    if not lines:
        said = next((line for line in text.splitlines() if line.startswith("==ERROR==")), text.strip()[-200:])
        raise NoCounters(said or "ncu printed nothing")
    rows = csv.DictReader(lines)
    columns = set(rows.fieldnames or ())
    if missing := {_LAUNCH, _KERNEL} - columns:
        raise NoCounters(f"its CSV has no column {', '.join(sorted(missing))}")
    missing = {_NAME, _UNIT, _VALUE} - columns
    wide = any(_METRIC.fullmatch(column) for column in columns)
    if missing and not wide:
        raise NoCounters(f"its CSV has no column {', '.join(sorted(missing))}, and none of a metric")
    return _raw(rows) if missing else _details(rows)


def _details(rows: Iterable[Mapping[str, str]]) -> list[Counters]:
    """A row a metric. A row of a rule has no value."""
    found: dict[str, Counters] = {}
    for row in rows:
        one = found.setdefault(row[_LAUNCH], Counters(row[_LAUNCH], _plain(row[_KERNEL])))
        one.values.update(_value(row[_NAME] or "", row[_VALUE] or "", row[_UNIT] or ""))
    return list(found.values())


def _raw(rows: Iterable[Mapping[str, str]]) -> list[Counters]:
    """A row a launch; the one without a launch says units."""
    units = dict[str, str]()
    found: list[Counters] = []
    for row in rows:
        if not row[_LAUNCH]:
            units.update(row)
            continue
        named = ((name, text) for name, text in row.items() if _METRIC.fullmatch(name))
        values = (pair for name, text in named for pair in _value(name, text or "", units.get(name) or ""))
        found.append(Counters(row[_LAUNCH], _plain(row[_KERNEL]), dict(values)))
    return found


def _value(name: str, text: str, unit: str) -> Iterator[tuple[str, float]]:
    """Nothing for a value that is no number."""
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return
    if name:
        yield name, value * _TIMES.get(unit, _BYTES.get(unit, 1.0))


def _plain(kernel: str) -> str:
    """`mv(const float *, float *)` to `mv`."""
    return kernel.partition("(")[0].removeprefix("void ").strip()
