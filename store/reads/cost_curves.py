"""What each model's gains cost: dollars for one that was accepted, and the score against the dollars spent on it."""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from sqlmodel import Session

from store import campaigns, sql
from store.reads.money_view import money
from store.reads.score_views import score

SPENT = (
    "SELECT provider || ' ' || model AS name, finished_at, usd FROM llm_call WHERE campaign_id = :campaign"
    " AND usd IS NOT NULL AND finished_at IS NOT NULL ORDER BY finished_at, id"
)


@dataclass(frozen=True, slots=True)
class ModelGains:
    """accepted: promotions in force of whose brief it was asked. usd_per_gain: None before the first, and when prices
    are missing. curve: (dollars spent on it by then, geometric mean of the kernels' speedups by the ledger), one a step
    of the score."""

    name: str
    accepted: int
    usd_per_gain: float | None
    curve: tuple[tuple[float, float], ...]


def by_model(s: Session, campaign_id: int) -> tuple[ModelGains, ...]:
    """The dearest first; () when no model was asked."""
    started_at = campaigns.get(s, campaign_id).started_at
    steps = [(point.at_s + started_at, point.speedup) for point in score(s, campaign_id) if not point.kernel]
    spent: dict[str, list[tuple[float, float]]] = {}
    for row in sql.rows(s, SPENT, campaign=campaign_id):
        spent.setdefault(row["name"], []).append((float(row["finished_at"]), float(row["usd"])))
    return tuple(
        ModelGains(one.name, one.accepted, one.usd_per_gain, _curve(spent.get(one.name, []), steps))
        for one in money(s, campaign_id).groups["model"]
    )


def _curve(spent: list[tuple[float, float]], steps: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Both in order of time."""
    times, sums = [at for at, _ in spent], [0.0, *accumulate(usd for _, usd in spent)]
    return tuple((sums[bisect_right(times, at)], speedup) for at, speedup in steps)
