"""Legality rules of a target, and every check of them. What ships is taken over; what was mined is added to it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sqlmodel import Session, col, select

from knowledge.rules.rule import MINED, Kind, Pattern, Rule, State
from store import events, sql
from store.clock import now
from store.knowledge_files import FileChange, notice
from store.tables import RuleCheckRow, RuleRow

if TYPE_CHECKING:
    from knowledge.rules.conclude import Outcome

EVIDENCE_KEPT = 20
TEXT_FIELDS = ("kind", "statement", "forbidden", "legal")


def from_files(
    s: Session, target: str, rules: Sequence[Rule], workspace: Path | None = None
) -> tuple[FileChange, ...]:  # fmt: skip
    """Take over what the files of a target say now: what was added or edited has to be tried anew, what has no file any
    more is retired until it comes back. Returns what was edited by hand since the last look from this workspace. Rules
    of another workspace stay as they are."""
    take_over(s, rules)
    for row in _without_file(s, target, rules, workspace):
        row.state, row.fingerprint = "retired", ""
        s.add(row)
    return notice(s, f"rule of {target}", {rule.name: rule.digest for rule in rules}, workspace)


def _without_file(s: Session, target: str, rules: Sequence[Rule], workspace: Path | None) -> list[RuleRow]:
    """Rules of files that are not there any more; a rule that one of the workspace hides is there."""
    own, all_names = {rule.name for rule in rules if rule.workspace}, {rule.name for rule in rules}
    query = select(RuleRow).where(
        RuleRow.target == target, RuleRow.origin != MINED, col(RuleRow.workspace).in_(["", str(workspace)])
    )
    return [row for row in s.exec(query).all() if row.name not in (own if row.workspace else all_names)]


def take_over(s: Session, rules: Iterable[Rule]) -> int:
    """Add rules that are not there, by name and workspace; one whose text changed starts anew, and so does one whose
    file had gone. Returns how many were added or changed."""
    changed = 0
    for rule in rules:
        row = _row(s, rule.target, rule.name, rule.workspace)
        if (
            row is None
            or is_without_file(row)
            or any(getattr(row, name) != getattr(rule, name) for name in TEXT_FIELDS)
        ):
            put(s, replace(rule, state="documented", fingerprint=""))
            changed += 1
        elif row.pattern != _pattern(rule) or row.flags != list(rule.flags):
            row.pattern, row.flags = _pattern(rule), list(rule.flags)
            s.add(row)
    return changed


def is_without_file(rule: RuleRow | Rule) -> bool:
    """Retired because somebody removed its file; a rule that the compiler outgrew has a fingerprint."""
    return rule.state == "retired" and not rule.fingerprint


def put(s: Session, rule: Rule) -> int:
    """Insert or replace by target, name and workspace; returns the row's id."""
    row = _row(s, rule.target, rule.name, rule.workspace) or RuleRow(
        target=rule.target, name=rule.name, workspace=rule.workspace, kind="", statement="", forbidden="", legal="",
        at=now(),
    )  # fmt: skip
    row.kind, row.statement, row.forbidden, row.legal = rule.kind, rule.statement, rule.forbidden, rule.legal
    row.flags, row.diagnostic, row.pattern, row.origin = list(rule.flags), rule.diagnostic, _pattern(rule), rule.origin
    row.evidence = [dict(one) for one in rule.evidence][-EVIDENCE_KEPT:]
    row.state, row.fingerprint = rule.state, rule.fingerprint
    s.add(row)
    s.flush()
    return events.need_id(row.id)


def rules_of(s: Session, target: str, workspace: Path | None = None) -> list[Rule]:
    """What holds in this workspace, by name: its own rule before one that ships. How runs are made and which features
    a rule needs stand with the shipped rules, not here."""
    found = dict[str, Rule]()
    for rule in every(s, target):
        here = rule.workspace == "" or rule.workspace == str(workspace)
        if here and not (rule.name in found and is_without_file(rule)):
            found[rule.name] = rule
    return list(found.values())


def every(s: Session, target: str) -> list[Rule]:
    """Of all workspaces, by name, what ships first."""
    query = select(RuleRow).where(RuleRow.target == target).order_by(col(RuleRow.name), col(RuleRow.workspace))
    return [_rule(row) for row in s.exec(query).all()]


def record(s: Session, rule: Rule, outcome: "Outcome", found: str, under: str) -> None:
    """A check under a fingerprint, and the state that it left the rule in."""
    number = put(s, rule)
    row = s.get(RuleRow, number)
    if row is not None:
        row.checked_at = now()
        s.add(row)
    s.add(RuleCheckRow(rule_id=number, fingerprint=under, outcome=outcome, found=found[:2000], at=now()))
    events.append(s, None, "legality_rule", rule.name, f"{outcome.replace('_', ' ')}: {found}"[:400], state=rule.state)


def checked_targets(s: Session) -> list[str]:
    """Targets of which a rule was ever planted in this home."""
    rows = sql.rows(s, "SELECT DISTINCT target FROM legality_rule WHERE fingerprint <> '' ORDER BY target")
    return [str(row["target"]) for row in rows]


def mark_stale(s: Session, target: str, fingerprint: str) -> int:
    """Verified rules of another fingerprint wait for a check; returns how many became stale now."""
    return sql.run(
        s,
        "UPDATE legality_rule SET state = 'stale' WHERE target = :target AND fingerprint <> :fingerprint"
        " AND state = 'verified'",
        target=target, fingerprint=fingerprint,
    )  # fmt: skip


def compile_failures(s: Session, target: str) -> list[dict[str, Any]]:
    """Candidates of this target that the compiler refused, oldest first: their id, kernel, campaign, and whether the
    device was healthy then: no event "unhealthy" since a candidate last ran on it."""
    found = sql.rows(
        s,
        "SELECT n.candidate_id AS candidate, n.kernel AS kernel, n.campaign_id AS campaign, NOT EXISTS ("
        " SELECT 1 FROM event AS e WHERE e.campaign_id = n.campaign_id AND e.kind = 'unhealthy' AND e.at <= g.at"
        " AND NOT EXISTS (SELECT 1 FROM gate_report AS r JOIN node AS m ON m.id = r.node_id WHERE m.campaign_id ="
        " n.campaign_id AND r.gate = 'correct' AND r.state = 'passed' AND r.at > e.at AND r.at <= g.at)) AS healthy"
        " FROM gate_report AS g JOIN node AS n ON n.id = g.node_id JOIN campaign AS c ON c.id = n.campaign_id"
        " WHERE g.gate = 'compile' AND g.state = 'refused' AND g.kind = 'compile_error' AND c.target = :target"
        " AND n.candidate_id IS NOT NULL ORDER BY g.id",
        target=target,
    )  # fmt: skip
    return [{**row, "healthy": bool(row["healthy"])} for row in found]


def _row(s: Session, target: str, name: str, workspace: str = "") -> RuleRow | None:
    query = select(RuleRow).where(RuleRow.target == target, RuleRow.name == name, RuleRow.workspace == workspace)
    return s.exec(query).first()


def _pattern(rule: Rule) -> dict[str, Any]:
    return {"query": rule.pattern.query, "doubt": rule.pattern.doubt} if rule.pattern is not None else {}


def _rule(row: RuleRow) -> Rule:
    pattern = Pattern(row.pattern["query"], row.pattern["doubt"]) if row.pattern else None
    return Rule(
        row.name, row.target, cast("Kind", row.kind), row.statement, row.forbidden, row.legal, row.diagnostic,
        tuple(row.flags), pattern, {}, (), row.origin, cast("State", row.state), row.fingerprint, tuple(row.evidence),
        row.workspace,
    )  # fmt: skip
