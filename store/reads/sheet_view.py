"""What may stand in a cheat sheet of a target: measured facts, rules that were tried, claims of its books."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sqlmodel import Session

from kernels.values.numbers import spread
from knowledge.cheatsheet import BAN, Entry, sheet
from store import legality, sql
from store.reads.knowledge_views import book_claims

RULE: Final = "rule: "
RULES: Final = {"verified": "verified", "not_enforced": "verified", "documented": "unaudited"}


def sheet_entries(s: Session, target: str, workspace: Path | None = None) -> tuple[Entry, ...]:
    """Current facts, rules that hold or were not tried yet, and live claims that passed the script check. workspace:
    whose rules count too."""
    return (*_facts(s, target), *_rules(s, target, workspace), *_claims(s, target))


def target_sheet(
    s: Session, target: str, *, role: str, topic: str, size: int, rules: bool = True, workspace: Path | None = None
) -> str:
    """What an agent is told of the target; the ban on folds alone where nothing is known. rules: whether legality rules
    stand in it."""
    entries = tuple(one for one in sheet_entries(s, target, workspace) if rules or not one.source.startswith(RULE))
    return sheet(target, entries, role=role, topic=topic, size=size).text if entries else BAN


def sheet_targets(s: Session) -> tuple[str, ...]:
    """Targets of which anything is known, by name."""
    found = sql.rows(
        s,
        "SELECT target FROM book_release UNION SELECT target FROM chip_fact UNION SELECT target FROM legality_rule"
        " ORDER BY 1",
    )
    return tuple(str(row["target"]) for row in found)


def _facts(s: Session, target: str) -> Iterator[Entry]:
    newest = (
        "SELECT * FROM chip_fact WHERE state = 'current' AND id IN (SELECT max(id) FROM chip_fact"
        " WHERE target = :target GROUP BY name) ORDER BY name"
    )
    for row in sql.rows(s, newest, target=target):
        value = spread(row["value"], row["low"], row["high"], row["unit"])
        yield Entry(f"{row['title'] or row['name']}: {value}", "verified", "limit", f"measured: {row['name']}")


def _rules(s: Session, target: str, workspace: Path | None) -> Iterator[Entry]:
    for rule in legality.rules_of(s, target, workspace):
        if rule.state in RULES:
            text = f"{rule.statement}{' (the compiler does not say so)' if rule.state == 'not_enforced' else ''}"
            yield Entry(text, RULES[rule.state], "rule", f"{RULE}{rule.name}")


def _claims(s: Session, target: str) -> Iterator[Entry]:
    for view in book_claims(s, target):
        if view.script_check == "passed" and view.state not in ("dropped", "stale"):
            first = view.citations[0]
            yield Entry(view.text, view.state, view.kind, f"{first.doc}#{first.section}")
