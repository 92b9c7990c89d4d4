"""What a campaign's models were asked and what that cost."""

from dataclasses import asdict
from typing import Any

from sqlmodel import Session

from store import llm_calls, sql
from store.reads.cost_curves import by_model

TOTALS = (
    "SELECT provider || ' ' || model AS name, count(*) AS calls, sum(state = 'open') AS open,"
    " sum(state IN ('cut', :gone)) AS cut, sum(state = 'failed') AS failed, sum(state = 'cancelled') AS cancelled,"
    " sum(retries) AS retries,"
    " sum(input_tokens + cache_read_tokens + cache_write_tokens) AS tokens_in, sum(output_tokens) AS tokens_out,"
    " sum(coalesce(usd, 0)) AS usd, sum(state IN ('done', 'cancelled') AND usd IS NULL) AS price_unknown,"
    " sum(CASE WHEN state IN ('cut', :gone) THEN coalesce(reserved_usd, 0) ELSE 0 END) AS cut_usd,"
    " sum(CASE WHEN state IN ('cut', :gone) THEN reserved_tokens ELSE 0 END) AS cut_tokens, sum(seconds) AS seconds"
    " FROM llm_call WHERE campaign_id = :campaign GROUP BY name ORDER BY min(id)"
)


def models(s: Session, campaign_id: int, *, alive: bool = True) -> list[dict[str, Any]]:
    """By model. usd: what is known to be spent; cut_usd: what requests that a crash cut may have cost beside it;
    price_unknown: answered requests without a known price. alive: an engine runs; else what is open was cut."""
    return [dict(row) for row in sql.rows(s, TOTALS, campaign=campaign_id, gone="cut" if alive else "open")]


def of_brief(s: Session, brief_id: int) -> str:
    """`3 requests, 1,234 tokens, $0.0012`; "" when no model was asked for it."""
    row = sql.first(
        s,
        "SELECT count(*) AS calls, coalesce(sum(input_tokens + cache_read_tokens + cache_write_tokens + output_tokens),"
        " 0) AS tokens, coalesce(sum(usd), 0) AS usd, coalesce(sum(state IN ('done', 'cancelled') AND usd IS NULL), 0)"
        " AS unknown FROM llm_call WHERE brief_id = :brief",
        brief=brief_id,
    )
    if row is None or not row["calls"]:
        return ""
    cost = "price unknown" if row["unknown"] else f"${row['usd']:.4f}"
    return f"{row['calls']} requests, {row['tokens']:,} tokens, {cost}"


def spending(s: Session, campaign_id: int, *, alive: bool = True) -> dict[str, Any]:
    """For `status --json`; {} when no model was asked. committed_usd: what is held against the limit. reached: what was
    said of limits that were reached."""
    gains = {one.name: one for one in by_model(s, campaign_id)}
    found = [
        {**one, **{key: value for key, value in asdict(gains[one["name"]]).items() if key != "name"}}
        for one in models(s, campaign_id, alive=alive)
    ]
    if not found:
        return {}
    held = llm_calls.committed(s, llm_calls.Account(campaign_id))
    budget = sql.first(s, "SELECT usd_budget, tokens_budget FROM campaign WHERE id = :id", id=campaign_id)
    limits = {"usd": budget["usd_budget"], "tokens": budget["tokens_budget"]} if budget is not None else {}
    return {
        "models": {
            "committed_usd": held.usd, "committed_tokens": held.tokens, "limits": limits, "by_model": found,
            "reached": _reached(s, campaign_id),
        }
    }  # fmt: skip


def _reached(s: Session, campaign_id: int) -> list[str]:
    """What was said when limits were reached, oldest first."""
    found = sql.rows(
        s, "SELECT text FROM event WHERE campaign_id = :campaign AND kind = 'budget' ORDER BY id", campaign=campaign_id
    )
    return [str(row["text"]) for row in found]
