"""What proposals promised, beside what was measured of them."""

import statistics
from collections.abc import Sequence
from itertools import groupby

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import sql
from store.reads.report.failures import NOT_PLACEBO
from store.report_views import PromiseView


def promises(s: Session, campaign_id: int) -> tuple[PromiseView, ...]:
    """By kernel and lever, the most proposed first: finished proposals with a stated gain. In none: placebos, folds and
    what was made from them, what ended by a failure of the infrastructure."""
    found = sql.rows(
        s,
        "SELECT kernel, lever, outcome, gain, expected_gain, expected_chance FROM node"
        " WHERE campaign_id = :campaign AND outcome NOT IN ('', 'INVALID') AND expected_gain IS NOT NULL"
        f" AND NOT tainted AND {NOT_PLACEBO} ORDER BY kernel, lever, id",
        campaign=campaign_id,
    )
    groups = groupby(found, key=lambda row: (row["kernel"], row["lever"]))
    made = [_promise(kernel, lever, list(rows)) for (kernel, lever), rows in groups]
    return tuple(sorted(made, key=lambda one: (one.kernel, -one.proposals, one.lever)))


def _promise(kernel: str, lever: str, rows: Sequence[RowMapping]) -> PromiseView:
    chances = [row["expected_chance"] for row in rows if row["expected_chance"] is not None]
    held = [row for row in rows if row["outcome"] == "KEEP"]
    return PromiseView(
        kernel, lever, len(rows), sum(chances) if len(chances) == len(rows) else None, len(held),
        statistics.median(row["expected_gain"] for row in rows), _median([row["gain"] for row in held]),
        _median([row["gain"] for row in rows]),
    )  # fmt: skip


def _median(gains: Sequence[float | None]) -> float | None:
    measured = [gain for gain in gains if gain is not None]
    return statistics.median(measured) if measured else None
