"""What the Filings tab gets beside the rows: how any two filings differ, and curves over time. Units as in
`store.views`."""

from dataclasses import dataclass

from store.views import FilingView


@dataclass(frozen=True, slots=True)
class FiledReading:
    """One test or ledger entry of a filing's candidate. value, low, high: gains of the head's time, of a ledger entry
    speedups; head_ns, candidate_ns: medians of its kept pairs, None without pairs."""

    kind: str
    verdict: str
    pairs: int
    value: float | None
    low: float | None
    high: float | None
    head_ns: float | None
    candidate_ns: float | None
    mode: str


@dataclass(frozen=True, slots=True)
class ComparedView:
    """Two filings side by side. diff: from the source and flags of the first to those of the second; no_diff: why it is
    empty."""

    first: FilingView
    second: FilingView
    first_readings: tuple[FiledReading, ...]
    second_readings: tuple[FiledReading, ...]
    diff: str
    no_diff: str


@dataclass(frozen=True, slots=True)
class FiledCurve:
    """A step at each filing: (UTC seconds, value). what: is drawn. since: points before it are of another toolchain,
    None when all are of one."""

    what: str
    points: tuple[tuple[float, float], ...]
    higher_is_better: bool
    since: float | None = None

    @property
    def best(self) -> float | None:
        """Under the present toolchain."""
        values = [value for at, value in self.points if self.since is None or at >= self.since]
        if not values:
            return None
        return max(values) if self.higher_is_better else min(values)

    @property
    def last(self) -> float | None:
        """Under the present toolchain."""
        last = self.points[-1:]
        return last[0][1] if last and (self.since is None or last[0][0] >= self.since) else None


@dataclass(frozen=True, slots=True)
class SeriesView:
    """The filings of one kernel of one campaign over time, or of a whole imported campaign (kernel "")."""

    campaign: int
    kernel: str
    imported: bool
    score: FiledCurve
    over_peak: FiledCurve
