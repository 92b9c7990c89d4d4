"""Counters of the GPU by Nsight Compute: the command that asks for them, and the CSV that it prints.

The format is that of `ncu --csv --page details`, one line a metric: the columns are named in the first line that begins
with a quotation mark; lines of `==PROF==` and of the profiled program may stand around it. Numbers have commas between
thousands. Source: Nsight Compute CLI, section "Command Line Options", and reports of 2020.1 to 2025.4 in public tests.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

METRICS: Final[Mapping[str, str]] = {
    "gpu__time_duration.sum": "time",
    "dram__bytes.sum": "bytes of device memory",
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
        return self.values.get("gpu__time_duration.sum")

    @property
    def gbs(self) -> float | None:
        """Bytes of device memory a nanosecond."""
        moved, ns = self.values.get("dram__bytes.sum"), self.ns
        return moved / ns if moved is not None and ns is not None and ns > 0 else None


def command(ncu: Path, program: Sequence[str], metrics: Sequence[str] = tuple(METRICS)) -> list[str]:
    """Words that profile every launch of a program and print nothing but the report."""
    return [
        str(ncu),
        "--csv",
        "--page",
        "details",
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
    found: dict[str, Counters] = {}
    rows = csv.DictReader(lines)
    missing = {_LAUNCH, _KERNEL, _NAME, _UNIT, _VALUE} - set(rows.fieldnames or ())
    if missing:
        raise NoCounters(f"its CSV has no column {', '.join(sorted(missing))}")
    for row in rows:
        one = found.setdefault(row[_LAUNCH], Counters(row[_LAUNCH], _plain(row[_KERNEL])))
        one.values.update(_value(row))
    return list(found.values())


def _value(row: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    """Nothing for a row of a rule, or a value that is no number."""
    text, unit = (row[_VALUE] or "").replace(",", ""), row[_UNIT] or ""
    try:
        value = float(text)
    except ValueError:
        return
    if row[_NAME]:
        yield row[_NAME], value * _TIMES.get(unit, _BYTES.get(unit, 1.0))


def _plain(kernel: str) -> str:
    """`mv(const float *, float *)` to `mv`."""
    return kernel.partition("(")[0].removeprefix("void ").strip()
