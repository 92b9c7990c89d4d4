"""Placebos: how many were called FASTER, whether that is too many, and what their pooled pairs say."""

from functools import lru_cache

from sqlmodel import Session

from kernels.judge.placebo import alarm, pooled_bias
from store import scores, sql
from store.device_views import BiasView, PlaceboView

FINISHED = "kind = 'placebo' AND state = 'done' AND verdict NOT IN ('', 'INVALID')"
PRESENT = "test.fingerprint = (SELECT fingerprint FROM campaign WHERE campaign.id = :campaign)"
POOLED = 1000
"""The newest pairs that are pooled: the cost grows with the square, the interval narrows by the root. They lie in that
many tests at most."""


def placebos(s: Session, campaign_id: int) -> PlaceboView:
    """Of one campaign under its present toolchain. A placebo that still runs is in no figure: it is unmarked."""
    marks = sql.scalar(
        s,
        "SELECT group_concat(fooled, '') FROM (SELECT CASE verdict WHEN 'FASTER' THEN '1' ELSE '0' END AS fooled"
        f" FROM test WHERE campaign_id = :campaign AND {PRESENT} AND {FINISHED} ORDER BY id)",
        campaign=campaign_id,
    )
    fooled = [mark == "1" for mark in marks or ""]
    faster, tests = sum(fooled), len(fooled)
    return PlaceboView(faster, tests, scores.binomial_upper(faster, tests), alarm(fooled), bias(s, campaign_id))


def placebos_here(s: Session, campaign_id: int) -> PlaceboView:
    """Of every campaign of this home on the device of this one. The alarm is one campaign's."""
    row = sql.first(
        s,
        "SELECT count(*) AS tests, count(*) FILTER (WHERE verdict = 'FASTER') AS faster FROM test WHERE"
        f" campaign_id IN (SELECT id FROM campaign) AND {PRESENT} AND {FINISHED}",
        campaign=campaign_id,
    )
    faster, tests = (0, 0) if row is None else (int(row["faster"]), int(row["tests"]))
    return PlaceboView(faster, tests, scores.binomial_upper(faster, tests))


def bias(s: Session, campaign_id: int) -> BiasView | None:
    """None before the first placebo."""
    found = sql.rows(
        s,
        "SELECT log_ratio FROM pair WHERE test_id IN (SELECT id FROM test WHERE campaign_id = :campaign"
        f" AND {PRESENT} AND {FINISHED} ORDER BY id DESC LIMIT :limit) AND redo_reason = ''"
        " ORDER BY id DESC LIMIT :limit",
        campaign=campaign_id, limit=POOLED,
    )  # fmt: skip
    return _bias(tuple(float(row["log_ratio"]) for row in found))


@lru_cache(maxsize=4)
def _bias(ratios: tuple[float, ...]) -> BiasView | None:
    found = pooled_bias(ratios)
    if found is None:
        return None
    return BiasView(found.pairs, found.gain, max(found.low, -100.0), min(found.high, 1.0), found.score)
