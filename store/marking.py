"""Marking what is known of a target stale, and giving a record the state that its re-check left it in.

What has no state of its own says by its fingerprint that it is of another toolchain: filings, and heads until they are
judged again.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from sqlmodel import Session

from knowledge.recheck import Kind, Record, Settled
from knowledge.rules.rule import key_of
from store import sql
from store.tables import ToolchainChangeRow

WAITS: Final = "of another toolchain, to be checked again"
_LIVE_CLAIMS: Final = """
SELECT claim.id, claim.state FROM claim JOIN book_release AS r ON r.id = claim.release_id WHERE r.target = :target
  AND r.finished_at < :since AND (claim.state IN ('unaudited', 'supported', 'partly')
    OR (claim.state = 'stale' AND EXISTS (SELECT 1 FROM citation
    JOIN book_release AS n ON n.id = citation.release_id WHERE citation.claim_id = claim.id
    AND citation.change IN ('changed', 'gone') AND n.finished_at >= :since)))
ORDER BY claim.id
"""
_FACTS: Final = (
    "SELECT id, name, state FROM chip_fact WHERE id IN (SELECT max(id) FROM chip_fact WHERE target = :target"
    " GROUP BY name) ORDER BY name"
)
_RULES: Final = (
    "SELECT id, name, workspace, state FROM legality_rule WHERE target = :target AND fingerprint <> ''"
    " ORDER BY name, workspace"
)
_HEADS: Final = (
    "SELECT id FROM promotion WHERE id IN (SELECT max(id) FROM promotion WHERE campaign_id = :campaign"
    " AND demoted_at IS NULL GROUP BY kernel) ORDER BY id"
)
_FILINGS: Final = (
    "SELECT id FROM filing WHERE campaign_id = :campaign AND kind <> 'imported' AND tainted = 0 ORDER BY id"
)
_MEMORY: Final = (
    "SELECT memory.id, memory.state FROM memory JOIN campaign ON campaign.id = memory.campaign_id"
    " WHERE campaign.target = :target AND memory.state <> 'retired' ORDER BY memory.id"
)


def mark(s: Session, change: ToolchainChangeRow) -> list[Record]:
    """Every record of the change's target and campaign, as it was; afterwards none of them is as good as checked."""
    return [*_claims(s, change), *_facts(s, change), *_rules(s, change), *_heads(s, change), *_filings(s, change),
            *_memory(s, change)]  # fmt: skip


def _claims(s: Session, change: ToolchainChangeRow) -> Iterator[Record]:
    """Live ones, and those that a new release has just made stale. What was drawn from that release was audited with
    it."""
    since = _last_change_at(s, change)
    found = sql.rows(s, _LIVE_CLAIMS, target=change.target, since=since)
    for row in found:
        yield Record("claim", str(row["id"]), row["state"])
        if row["state"] != "stale":
            sql.run(s, "UPDATE claim SET state = 'stale', reason = :why WHERE id = :id", id=row["id"], why=WAITS)


def _last_change_at(s: Session, change: ToolchainChangeRow) -> float:
    """When the campaign last took note of its books."""
    found = sql.scalar(
        s,
        "SELECT coalesce((SELECT max(at) FROM toolchain_change WHERE campaign_id = :campaign AND id < :id),"
        " (SELECT started_at FROM campaign WHERE id = :campaign))",
        campaign=change.campaign_id, id=change.id,
    )  # fmt: skip
    return float(found)


def _facts(s: Session, change: ToolchainChangeRow) -> Iterator[Record]:
    for row in sql.rows(s, _FACTS, target=change.target):
        yield Record("fact", row["name"], row["state"])
    sql.run(s, "UPDATE chip_fact SET state = 'stale' WHERE target = :target", target=change.target)


def _rules(s: Session, change: ToolchainChangeRow) -> Iterator[Record]:
    """Those that were planted; one that was retired is tried as well, and stays so meanwhile."""
    for row in sql.rows(s, _RULES, target=change.target):
        yield Record("rule", key_of(row["name"], row["workspace"]), row["state"])
    sql.run(
        s,
        "UPDATE legality_rule SET state = 'stale' WHERE target = :target AND fingerprint <> '' AND state <> 'retired'",
        target=change.target,
    )


def _heads(s: Session, change: ToolchainChangeRow) -> Iterator[Record]:
    """By the id of the promotion."""
    for row in sql.rows(s, _HEADS, campaign=change.campaign_id):
        yield Record("head", str(row["id"]), "in force")


def _filings(s: Session, change: ToolchainChangeRow) -> Iterator[Record]:
    for row in sql.rows(s, _FILINGS, campaign=change.campaign_id):
        yield Record("filing", str(row["id"]))


def _memory(s: Session, change: ToolchainChangeRow) -> Iterator[Record]:
    for row in sql.rows(s, _MEMORY, target=change.target):
        yield Record("memory", str(row["id"]), row["state"])
        sql.run(s, "UPDATE memory SET state = 'stale' WHERE id = :id", id=row["id"])


def apply(s: Session, change: ToolchainChangeRow, settled: Settled) -> None:
    """The record's state. Facts and rules get theirs with the measurement or planting that decided it, if there was
    one: a new row of the fact, the rule as `store.legality` keeps it."""
    _APPLY[settled.record.kind](s, change, settled)


def _claim(s: Session, change: ToolchainChangeRow, settled: Settled) -> None:
    reason = "" if settled.outcome in ("re_verified", "rewritten") else settled.reason
    sql.run(
        s, "UPDATE claim SET state = :state, reason = :reason WHERE id = :id", state=settled.state, reason=reason,
        id=int(settled.record.name),
    )  # fmt: skip


def _rule(s: Session, change: ToolchainChangeRow, settled: Settled) -> None:
    sql.run(
        s,
        "UPDATE legality_rule SET state = :state WHERE target = :target AND CASE workspace WHEN '' THEN name"
        " ELSE name || ' in ' || workspace END = :key",
        state=settled.state, target=change.target, key=settled.record.name,
    )  # fmt: skip


def _win_or_trap(s: Session, change: ToolchainChangeRow, settled: Settled) -> None:
    holds = settled.outcome in ("re_verified", "rewritten")
    sql.run(
        s,
        "UPDATE memory SET state = :state, fingerprint = CASE WHEN :holds THEN :present ELSE fingerprint END"
        " WHERE id = :id",
        state=settled.state, holds=holds, present=change.present, id=int(settled.record.name),
    )  # fmt: skip


def _nothing(s: Session, change: ToolchainChangeRow, settled: Settled) -> None:
    """Its own rows say it."""


_APPLY: Final[Mapping[Kind, Callable[[Session, ToolchainChangeRow, Settled], None]]] = {
    "claim": _claim, "fact": _nothing, "rule": _rule, "head": _nothing, "filing": _nothing, "memory": _win_or_trap,
}  # fmt: skip
