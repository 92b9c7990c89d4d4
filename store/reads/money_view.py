"""What a campaign cost so far, by role, model and kernel, and what the score was at each step of that."""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

from sqlmodel import Session

from store import campaigns, sql
from store.memo import JUDGED, remembered
from store.money_views import CostPoint, CostShare, MoneyView
from store.reads.campaign_views import elapsed_s, engine_of, seconds_of
from store.reads.report.costs import device_by_kernel, device_seconds
from store.reads.score_views import score
from store.tables import CampaignRow

NAMES: Final = {"role": "role", "model": "provider || ' ' || model", "kernel": "kernel"}
SPENT: Final = """
SELECT {name} AS name, count(*) AS calls,
    sum(CASE WHEN {held} THEN 0 ELSE input_tokens + cache_read_tokens + cache_write_tokens + output_tokens END)
    AS tokens,
    sum(CASE WHEN {held} THEN 0 ELSE coalesce(usd, 0) END) AS usd,
    sum(CASE WHEN {held} THEN reserved_tokens ELSE 0 END) AS held_tokens,
    sum(CASE WHEN {held} THEN coalesce(reserved_usd, 0) ELSE 0 END) AS held_usd,
    sum(state IN ('done', 'cancelled') AND usd IS NULL) AS unpriced
    FROM llm_call WHERE campaign_id = :campaign GROUP BY 1 ORDER BY 4 DESC, 1
"""
HELD: Final = "state IN ('open', 'cut')"
IN_FORCE: Final = "FROM promotion WHERE promotion.campaign_id = :campaign AND demoted_at IS NULL"
ACCEPTED: Final = {
    "role": "SELECT agent.role AS name, count(*) AS n FROM promotion JOIN node ON node.id = node_id JOIN agent"
    " ON agent.name = node.agent AND agent.campaign_id = node.campaign_id"
    " WHERE promotion.campaign_id = :campaign AND demoted_at IS NULL GROUP BY 1",
    "model": "SELECT provider || ' ' || model AS name, count(DISTINCT promotion.id) AS n FROM promotion"
    " JOIN node ON node.id = node_id JOIN llm_call ON llm_call.brief_id = node.brief_id"
    " AND llm_call.campaign_id = node.campaign_id"
    " WHERE promotion.campaign_id = :campaign AND demoted_at IS NULL GROUP BY 1",
    "kernel": f"SELECT kernel AS name, count(*) AS n {IN_FORCE} GROUP BY 1",
}
DEVICE_OVER_TIME: Final = """
SELECT finished_at, device_seconds FROM test WHERE campaign_id = :campaign AND finished_at IS NOT NULL
UNION ALL SELECT finished_at, device_seconds FROM race WHERE campaign_id = :campaign AND finished_at IS NOT NULL
ORDER BY 1
"""
USD_OVER_TIME: Final = (
    "SELECT finished_at, usd FROM llm_call WHERE campaign_id = :campaign AND usd IS NOT NULL"
    " AND finished_at IS NOT NULL ORDER BY 1"
)


def money(s: Session, campaign_id: int) -> MoneyView:
    """Raises: StoreError when there is no such campaign."""
    row = campaigns.get(s, campaign_id)
    kinds_of = remembered(s, "device by kernel", campaign_id, JUDGED, lambda: device_by_kernel(s, campaign_id))
    by_kind = remembered(s, "device by kind", campaign_id, JUDGED, lambda: device_seconds(s, campaign_id))
    on_device = {kernel: math.fsum(kinds.values()) for kernel, kinds in kinds_of.items()}
    groups = {group: _shares(s, row, group, on_device if group == "kernel" else None) for group in NAMES}
    return MoneyView(
        campaign=campaign_id, brain=row.brain, elapsed_s=elapsed_s(row, engine_of(s, campaign_id)),
        total=_total(s, row, groups["model"], sum(by_kind.values())), groups=groups, device=by_kind,
        device_of=kinds_of,
        seconds=seconds_of(s, campaign_id), points=_points(s, row),
    )  # fmt: skip


def _named(s: Session, statement: str, campaign_id: int) -> dict[str, float]:
    return {str(row[0]): float(row[1] or 0) for row in sql.tuples(s, statement, campaign=campaign_id)}


def _shares(s: Session, row: CampaignRow, group: str, device: Mapping[str, float] | None) -> tuple[CostShare, ...]:
    """The dearest first. Kernels are there without a request, too: they have device time and gains."""
    spent = {str(one["name"]): dict(one) for one in _spent(s, row.id, NAMES[group])}
    accepted = _named(s, ACCEPTED[group], row.id)
    limits = row.options.get(f"{group}_limits", {})
    names = [*spent, *(name for name in (device or {}) if name not in spent)]
    return tuple(
        _share(
            spent.get(name, {"name": name}), limits.get(name, {}), accepted.get(name, 0),
            None if device is None else device.get(name, 0.0),
        )
        for name in names
    )  # fmt: skip


def _spent(s: Session, campaign_id: int, name: str) -> Sequence[Mapping[str, Any]]:
    return sql.rows(s, SPENT.format(name=name, held=HELD), campaign=campaign_id)


def _share(spent: Mapping[str, Any], limit: Mapping[str, Any], accepted: float, device_s: float | None) -> CostShare:
    return CostShare(
        **spent, cap_usd=float(limit.get("usd", 0.0)), cap_tokens=int(limit.get("tokens", 0)), device_s=device_s,
        accepted=int(accepted),
    )  # fmt: skip


def _total(s: Session, row: CampaignRow, models: Sequence[CostShare], device_s: float) -> CostShare:
    accepted = sql.scalar(s, f"SELECT count(*) {IN_FORCE}", campaign=row.id)
    return CostShare(
        "", sum(m.calls for m in models), sum(m.tokens for m in models), math.fsum(m.usd for m in models),
        sum(m.held_tokens for m in models), math.fsum(m.held_usd for m in models), sum(m.unpriced for m in models),
        row.usd_budget, row.tokens_budget, device_s, int(accepted),
    )  # fmt: skip


def _points(s: Session, row: CampaignRow) -> tuple[CostPoint, ...]:
    """One per step of the score."""
    steps = [point for point in score(s, row.id) if not point.kernel]
    if not steps:
        return ()
    usd = _summed(s, USD_OVER_TIME, row)
    device = remembered(s, "device over time", row.id, JUDGED, lambda: _summed(s, DEVICE_OVER_TIME, row))
    return tuple(CostPoint(p.at_s, _by(usd, p.at_s), _by(device, p.at_s), p.speedup) for p in steps)


Summed = tuple[list[float], list[float]]


def _summed(s: Session, statement: str, row: CampaignRow) -> Summed:
    """When something was spent, in seconds since the start, and what was spent in all by then."""
    found = sql.tuples(s, statement, campaign=row.id)
    return [at - row.started_at for at, _ in found], list(accumulate(float(amount) for _, amount in found))


def _by(summed: Summed, at_s: float) -> float:
    index = bisect_right(summed[0], at_s)
    return summed[1][index - 1] if index else 0.0
