"""What a campaign cost: device seconds, seconds of the machine, tokens and dollars."""

from sqlmodel import Session

from store import sql
from store.reads.campaign_views import seconds_of
from store.report_views import CostView, ModelCost


def costs(s: Session, campaign_id: int) -> CostView:
    pairs = sql.scalar(
        s,
        "SELECT count(*) FROM pair WHERE test_id IN (SELECT id FROM test WHERE campaign_id = :campaign)",
        campaign=campaign_id,
    )
    raced = sql.scalar(
        s, "SELECT coalesce(sum(readings), 0) FROM race WHERE campaign_id = :campaign", campaign=campaign_id
    )
    return CostView(
        device=device_seconds(s, campaign_id), pairs=int(pairs), readings=2 * int(pairs) + int(raced),
        seconds=seconds_of(s, campaign_id), models=_models(s, campaign_id),
    )  # fmt: skip


def device_seconds(s: Session, campaign_id: int) -> dict[str, float]:
    """Seconds on the device by kind of test; races count as one."""
    summed: dict[str, float] = {}
    for kinds in device_by_kernel(s, campaign_id).values():
        for kind, seconds in kinds.items():
            summed[kind] = summed.get(kind, 0.0) + seconds
    return summed


def device_by_kernel(s: Session, campaign_id: int) -> dict[str, dict[str, float]]:
    """Seconds on the device by kernel, and of each by kind of test; a kernel that was tested is there, a kind that took
    nothing is not."""
    found = sql.rows(
        s,
        "SELECT kernel, kind, sum(device_seconds) AS seconds FROM test WHERE campaign_id = :campaign"
        " GROUP BY kernel, kind UNION ALL SELECT kernel, 'race', sum(device_seconds) FROM race"
        " WHERE campaign_id = :campaign GROUP BY kernel",
        campaign=campaign_id,
    )
    kernels: dict[str, dict[str, float]] = {row["kernel"]: {} for row in found}
    for row in found:
        if row["seconds"]:
            kernels[row["kernel"]][row["kind"]] = float(row["seconds"])
    return kernels


def _models(s: Session, campaign_id: int) -> tuple[ModelCost, ...]:
    found = sql.rows(
        s,
        "SELECT role, model, count(*) AS calls, sum(input_tokens + cache_read_tokens + cache_write_tokens +"
        " output_tokens) AS tokens, coalesce(sum(usd), 0) AS usd, count(*) FILTER (WHERE usd IS NULL) AS unpriced"
        " FROM llm_call WHERE campaign_id = :campaign GROUP BY role, model ORDER BY usd DESC, role, model",
        campaign=campaign_id,
    )
    return tuple(
        ModelCost(row["role"], row["model"], row["calls"], row["tokens"], float(row["usd"]), row["unpriced"])
        for row in found
    )
