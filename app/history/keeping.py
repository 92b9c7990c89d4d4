"""A history becomes an imported campaign: scores recomputed, times put in order, written in one transaction."""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.history.reading import History, Row
from app.settings import UsageError
from store import imports
from store.engine import Session

AGREES: Final = 0.006
"""A published score rounds its cycles and itself; see `differing`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """name: of the campaign's pack. baseline, peak: cycles by kernel as a person gave them."""

    name: str
    baseline: Mapping[str, float]
    peak: Mapping[str, float]


def recomputed(cycles: Mapping[str, float], baseline: Mapping[str, float]) -> float | None:
    """Geometric mean over the kernels of baseline over cycles; None without cycles."""
    if not cycles:
        return None
    logs = [math.log(baseline[kernel] / value) for kernel, value in cycles.items()]
    return math.exp(sum(logs) / len(logs))


def keep(s: Session, history: History, asked: Asked) -> dict[str, Any]:
    """Writes all of it; returns what was written, ready for `json.dumps`.

    Raises: UsageError when the baseline is unknown or the file was imported before.
    """
    baseline = baseline_of(history, asked)
    digest = hashlib.sha256(history.data).hexdigest()
    if (before := imports.campaign_with(s, digest)) is not None:
        raise UsageError(f"this file was imported before, as campaign {before}: ./run.sh filings --campaign {before}")
    rows = _filings(history, baseline, asked.peak)
    campaign = imports.add(
        s, name=asked.name, digest=digest, kernels=history.kernels, baseline=baseline, peak=asked.peak, filings=rows
    )
    return {
        "campaign": campaign, "filings": len(rows), "with_cycles": sum(bool(row.cycles) for row in rows),
        "baseline": dict(baseline), "best": max((row.best for row in rows if row.best is not None), default=None),
        "differing": [{"line": row.line, "published": row.score, "recomputed": row.recomputed}
                      for row in rows if differs(row)],
        "left_out_columns": list(history.left_out),
    }  # fmt: skip


def differs(row: imports.Imported) -> bool:
    """Whether the published score is not what its cycles give."""
    return row.score is not None and row.recomputed is not None and abs(row.score - row.recomputed) > AGREES


def baseline_of(history: History, asked: Asked) -> Mapping[str, float]:
    """As given, else of the first row whose team or variant is `baseline`; {} when no row has cycles."""
    for name in (*asked.baseline, *asked.peak):
        if name not in history.kernels:
            raise UsageError(
                f"no column {name}_cycles in the file; its kernels: {', '.join(history.kernels) or 'none'}"
            )
    named = [r.cycles for r in history.rows if r.cycles and "baseline" in (r.texts["team"], r.texts["variant"])]
    known: dict[str, float] = {**(named[0] if named else {}), **asked.baseline}
    missing = [kernel for kernel in history.kernels if kernel not in known]
    if missing and any(row.cycles for row in history.rows):
        raise UsageError(
            f"cycles of the baseline are unknown for {', '.join(missing)}: no row's team or variant is `baseline`;"
            f" give --baseline {missing[0]}=CYCLES"
        )
    return known


def _filings(
    history: History, baseline: Mapping[str, float], peak: Mapping[str, float]
) -> tuple[imports.Imported, ...]:
    """In the order of the file. A row that says no time of day stands right behind the row before it when that was on
    its day, one without a date right behind it in any case."""
    made: list[imports.Imported] = []
    before = next((row.moment.at for row in history.rows if row.moment.known), 0.0)
    for row in history.rows:
        before = _at(row, before)
        over_peak = recomputed(peak, row.cycles) if row.cycles and set(peak) == set(row.cycles) else None
        made.append(_filing(row, before, recomputed(row.cycles, baseline), over_peak))
    return tuple(made)


def _at(row: Row, before: float) -> float:
    if row.moment.known == "time":
        return row.moment.at
    if row.moment.known == "date":
        return before if 0 <= before - row.moment.at < 86400 else row.moment.at
    return before


def _filing(row: Row, at: float, score: float | None, over_peak: float | None) -> imports.Imported:
    return imports.Imported(
        line=row.line, place=row.place, filed_at=at, filed_text=row.texts["timestamp_utc"], team=row.texts["team"],
        board=row.texts["kind"], variant=row.texts["variant"], reference=row.texts["submission_or_job"],
        source=row.texts["source"], cycles=row.cycles, score=row.score, recomputed=score,
        times_peak=over_peak,
    )  # fmt: skip
