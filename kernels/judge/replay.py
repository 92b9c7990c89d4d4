"""Decides stored or imported series again under any rule. Pure: rows in, decisions out; reading files is the caller's.

Two kinds of CSV are understood: differences of pairs (columns `candidate_minus_base_...`) and single readings (a column
`cycles`, `ns` or `reading`). A series is one (variant, kernel).
"""

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kernels.judge.estimate import estimate
from kernels.judge.rule import Decision, Rule, State
from kernels.judge.score import signed_rank_score
from kernels.judge.score_table import Floats
from kernels.values.reading import Estimate

READING_COLUMNS = ("cycles", "ns", "reading")
DIFFERENCE_PREFIX = "candidate_minus_"


@dataclass(frozen=True, slots=True)
class Series:
    """values in run order: readings, or (kind "differences") candidate minus base in the same unit."""

    variant: str
    kernel: str
    kind: str
    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        return float(np.mean(self.values))

    @property
    def sd(self) -> float:
        """Sample sd; nan below two values."""
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else math.nan

    @property
    def cv(self) -> float:
        """Of readings: sd over mean."""
        return self.sd / self.mean

    @property
    def lag1(self) -> float:
        """Lag-1 autocorrelation; nan below two values or for a constant series."""
        values = np.array(self.values) - self.mean
        power = float(values @ values)
        return float(values[:-1] @ values[1:]) / power if power and len(values) > 1 else math.nan


@dataclass(frozen=True, slots=True)
class Replayed:
    """exhausted: the stored pairs ended before the rule stopped. estimate: None where only differences are known."""

    label: str
    rule: str
    pairs: int
    decision: Decision
    score: float
    estimate: Estimate | None

    @property
    def exhausted(self) -> bool:
        return self.decision.state is State.MEASURE_MORE


def parse_series(text: str) -> list[Series]:
    """Series of a CSV with columns variant, kernel and either kind of value, in order of first appearance.

    Raises: ValueError naming the missing column or the line with a wrong number.
    """
    reader = csv.DictReader(text.splitlines())
    column, kind = _value_column(reader.fieldnames or ())
    found: dict[tuple[str, str], list[float]] = {}
    for line, row in enumerate(reader, start=2):
        found.setdefault((row["variant"], row["kernel"]), []).append(_number(row[column], line, column))
    return [Series(variant, kernel, kind, tuple(values)) for (variant, kernel), values in found.items()]


def _value_column(columns: Sequence[str]) -> tuple[str, str]:
    missing = [name for name in ("variant", "kernel") if name not in columns]
    if missing:
        raise ValueError(f"column {', '.join(missing)} is missing; the file has {', '.join(columns) or 'no header'}")
    for name in columns:
        if name.startswith(DIFFERENCE_PREFIX):
            return name, "differences"
        if name in READING_COLUMNS:
            return name, "readings"
    raise ValueError(
        f"no column of values: need {DIFFERENCE_PREFIX}... or one of {', '.join(READING_COLUMNS)}; "
        f"the file has {', '.join(columns)}"
    )


def _number(text: str | None, line: int, column: str) -> float:
    try:
        value = float(text or "")
    except ValueError as wrong:
        raise ValueError(f"line {line}: {column} is {text!r}, not a number") from wrong
    if not math.isfinite(value):
        raise ValueError(f"line {line}: {column} is not finite")
    return value


def replay(x: Sequence[float], rule: Rule, label: str = "") -> Replayed:
    """Decide log(head / candidate) of stored pairs, in run order, again."""
    found = estimate(x) if len(x) else None
    return Replayed(label, rule.name, len(x), rule.decide(x), rule.statistic(x), found)


def replay_pairs(readings: Iterable[tuple[float, float]], rule: Rule, label: str = "") -> Replayed:
    """From (head, candidate) readings. Raises: ValueError when one is not positive and finite."""
    return replay([_log_ratio(head, candidate) for head, candidate in readings], rule, label)


def replay_series(series: Series, rule: Rule, base: float | None = None) -> Replayed:
    """Decide imported differences again.

    base: the head's reading in the same unit; turns differences into log ratios. Without it the differences themselves
    are ranked: the signs are the same and the sizes nearly in the same order, but there is no estimate and no FLAT.
    Raises: ValueError for a series of single readings, or a difference that leaves no positive candidate.
    """
    label = f"{series.variant} {series.kernel}"
    if series.kind != "differences":
        raise ValueError(f"{label}: single readings have no pairs to decide on")
    if base is not None:
        return replay_pairs(((base, base + d) for d in series.values), rule, label)
    x = [-d for d in series.values]
    return Replayed(label, rule.name, len(x), rule.decide(x), rule.statistic(x), None)


def head_to_head(head: Series, candidate: Series, rule: Rule) -> Replayed:
    """Decide two imported series of readings as pairs, index by index: pairs in name only, no coin, so only a hint."""
    label = f"{candidate.variant} against {head.variant} {head.kernel}"
    return replay_pairs(zip(head.values, candidate.values, strict=False), rule, label)


def pooled_cv(series: Iterable[Series], at_least: int = 3) -> float:
    """sqrt(sum of squared relative deviations from each series' mean / sum of (n - 1)), over series of enough readings.

    Raises: ValueError when no series is long enough.
    """
    squares, freedom = 0.0, 0
    for one in series:
        if len(one.values) >= at_least:
            relative: Floats = np.array(one.values) / one.mean - 1.0
            squares += float(relative @ relative)
            freedom += len(one.values) - 1
    if not freedom:
        raise ValueError(f"no series with at least {at_least} readings")
    return math.sqrt(squares / freedom)


def by_kernel(series: Iterable[Series]) -> Mapping[str, list[Series]]:
    found: dict[str, list[Series]] = {}
    for one in series:
        found.setdefault(one.kernel, []).append(one)
    return found


def sign_score(differences: Sequence[float]) -> float:
    """Signed-rank score of "the candidate is faster" from candidate minus base."""
    return signed_rank_score([-d for d in differences])


def _log_ratio(head: float, candidate: float) -> float:
    if not all(math.isfinite(r) and r > 0 for r in (head, candidate)):
        raise ValueError(f"a reading must be finite and > 0, got head {head}, candidate {candidate}")
    return math.log(head / candidate)
