"""Tests: the running one with its pairs and its trail, the finished ones as a list."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import sql
from store.columns import loads
from store.views import PairView, TestView, TrailPoint

Boundaries = Callable[[str, int], tuple[float | None, float | None, float | None]]
"""(rule, pairs) to the boundaries faster, slower, unclear_below of the score in force at that number of pairs."""

TEST = (
    "SELECT test.*, (SELECT count(*) FROM pair WHERE pair.test_id = test.id AND pair.redo_reason = '') AS pairs_done,"
    " entry.speedup, entry.low AS speedup_low, entry.high AS speedup_high"
    " FROM test LEFT JOIN ledger AS entry ON test.kind = 'ledger' AND entry.test_id = test.id "
)


def no_boundaries(_rule: str, _pairs: int) -> tuple[None, None, None]:
    return None, None, None


def tests(s: Session, campaign_id: int, limit: int = 200, *, kernel: str = "") -> tuple[TestView, ...]:
    """Newest first, without trail and pairs."""
    found = sql.rows(
        s,
        TEST + "WHERE test.campaign_id = :campaign AND (:kernel = '' OR test.kernel = :kernel)"
        " ORDER BY test.id DESC LIMIT :limit",
        campaign=campaign_id, kernel=kernel, limit=limit,
    )  # fmt: skip
    return tuple(_view(row) for row in found)


def tests_of_node(s: Session, node_id: int) -> tuple[TestView, ...]:
    """Oldest first, with their pairs."""
    found = sql.rows(s, TEST + "WHERE node_id = :node ORDER BY test.id", node=node_id)
    return tuple(_view(row, pairs=_pairs(s, row["id"])) for row in found)


def test(s: Session, test_id: int, boundaries: Boundaries = no_boundaries) -> TestView | None:
    """With trail and pairs; None when there is none."""
    row = sql.first(s, TEST + "WHERE test.id = :test", test=test_id)
    return None if row is None else _full(s, row, boundaries)


def flat_within(s: Session, test_id: int, usual: float = 0.005) -> float:
    """The d of FLAT that the test's campaign was set to, a log ratio; `usual` where it says nothing."""
    found = sql.first(
        s, "SELECT options FROM campaign WHERE id = (SELECT campaign_id FROM test WHERE id = :test)", test=test_id
    )
    return usual if found is None else float(loads(found["options"], {}).get("flat_within", usual))


def live_test(s: Session, campaign_id: int, boundaries: Boundaries = no_boundaries) -> TestView | None:
    """The running test that began last, with trail and pairs; None when none runs."""
    row = sql.first(
        s, TEST + "WHERE test.campaign_id = :campaign AND state = 'running' ORDER BY test.id DESC LIMIT 1",
        campaign=campaign_id,
    )  # fmt: skip
    return None if row is None else _full(s, row, boundaries)


def _full(s: Session, row: RowMapping, boundaries: Boundaries) -> TestView:
    return _view(
        row, pairs=_pairs(s, row["id"]), trail=_trail(s, row["id"], row["rule"], boundaries),
        looks=_looks(row["rule"], row["pairs_budget"], boundaries),
    )  # fmt: skip


def _looks(rule: str, budget: int, boundaries: Boundaries) -> tuple[TrailPoint, ...]:
    points = (TrailPoint(n, 0.0, *boundaries(rule, n)) for n in range(1, budget + 1))
    return tuple(p for p in points if (p.faster, p.slower, p.unclear_below) != (None, None, None))


def _pairs(s: Session, test_id: int) -> tuple[PairView, ...]:
    """Redone pairs, too, with their reason; a time that could not be read is 0."""
    found = sql.rows(s, "SELECT * FROM pair WHERE test_id = :test ORDER BY seq", test=test_id)
    return tuple(_pair(row) for row in found)


def _pair(row: RowMapping) -> PairView:
    head, candidate = loads(row["head_reading"], {}), loads(row["candidate_reading"], {})
    shapes = head.pop("shapes", {}), candidate.pop("shapes", {})
    return PairView(
        row["seq"], row["first"], row["head_ns"] or 0.0, row["candidate_ns"] or 0.0, row["log_ratio"] or 0.0,
        row["probe_before_gbs"], row["mode"], row["redo_reason"], row["at"], row["probe_after_gbs"],
        head, candidate, loads(row["environment"], {}), *shapes,
    )  # fmt: skip


def _trail(s: Session, test_id: int, rule: str, boundaries: Boundaries) -> tuple[TrailPoint, ...]:
    found = sql.rows(s, "SELECT score FROM pair WHERE test_id = :test AND redo_reason = '' ORDER BY seq", test=test_id)
    points = ((n, row["score"]) for n, row in enumerate(found, start=1))
    return tuple(TrailPoint(n, score, *boundaries(rule, n)) for n, score in points if score is not None)


def _view(row: RowMapping, **more: Any) -> TestView:
    hidden = row["kind"] == "placebo" and row["state"] == "running"
    return TestView(
        id=row["id"], kind="acceptance" if hidden else row["kind"], kernel=row["kernel"], lever=row["lever"],
        agent=row["agent"], node_id=row["node_id"], candidate_id=row["candidate_id"], head_id=row["head_id"],
        state=row["state"], verdict=row["verdict"], pairs_done=row["pairs_done"], pairs_budget=row["pairs_budget"],
        score=row["score"], estimate=row["estimate"], low=row["low"], high=row["high"], next_look=row["next_look"],
        device_seconds=row["device_seconds"], started_at=row["started_at"], reason=_reason(row),
        rule=row["rule"], seed=row["seed"], speedup=_speedup(row), **more,
    )  # fmt: skip


def _speedup(row: RowMapping) -> tuple[float, float, float] | None:
    if row["speedup"] is None:
        return None
    return float(row["speedup"]), float(row["speedup_low"]), float(row["speedup_high"])


def _reason(row: RowMapping) -> str:
    """UNCLEAR is shown as two: without a sign (no retest), or open (one retest)."""
    if row["verdict"] == "UNCLEAR" and not row["reason"]:
        return "NO SIGN" if row["no_sign"] else "OPEN"
    return str(row["reason"])
