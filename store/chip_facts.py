"""Chip facts of a target: every measurement is kept, the latest of a name counts."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import Session, col, select

from kernels.values.numbers import spread
from knowledge.facts import ChipFact
from store import events, sql
from store.clock import now
from store.errors import StoreError
from store.tables import ChipFactRow


def add(
    s: Session, *, target: str, name: str, fingerprint: str, title: str, value: float, low: float, high: float,
    unit: str, readings: Sequence[float], points: Sequence[Sequence[Any]], fit: Mapping[str, Any], probe: str,
    environment: Mapping[str, Any],
) -> int:  # fmt: skip
    """Its id. See `ChipFactRow` for the units."""
    row = ChipFactRow(
        target=target, name=name, fingerprint=fingerprint, title=title, value=value, low=low, high=high, unit=unit,
        readings=list(readings), points=[list(point) for point in points], fit=dict(fit), probe=probe,
        environment=dict(environment), at=now(),
    )  # fmt: skip
    s.add(row)
    s.flush()
    events.append(s, None, "chip_fact", name, spread(value, low, high, unit), target=target)
    return events.need_id(row.id)


def keep(s: Session, fact: ChipFact) -> int:
    """A measurement as it was made; returns its id."""
    return add(
        s, target=fact.target, name=fact.name, fingerprint=fact.fingerprint, title=fact.title, value=fact.value,
        low=fact.low, high=fact.high, unit=fact.unit, readings=fact.readings, points=fact.points, fit=fact.fit,
        probe=fact.probe, environment=fact.environment,
    )  # fmt: skip


def newest(s: Session, target: str, name: str) -> ChipFactRow:
    """The last measurement of one fact. Raises: StoreError when there is none."""
    query = select(ChipFactRow).where(ChipFactRow.target == target, ChipFactRow.name == name)
    row = s.exec(query.order_by(col(ChipFactRow.id).desc()).limit(1)).first()
    if row is None:
        raise StoreError(f"find fact {name} of {target}", "it was never measured", "Measure it")
    return row


def latest(s: Session, target: str) -> list[ChipFactRow]:
    """The last measurement of every fact of this target, by name."""
    newest = "SELECT max(id) AS id FROM chip_fact WHERE target = :target GROUP BY name"
    ids = [row["id"] for row in sql.rows(s, newest, target=target)]
    return list(s.exec(select(ChipFactRow).where(col(ChipFactRow.id).in_(ids)).order_by(col(ChipFactRow.name))).all())


def current(s: Session, target: str, fingerprint: str) -> dict[str, float]:
    """Values by name of what holds under this fingerprint."""
    found = latest(s, target)
    return {row.name: row.value for row in found if row.state == "current" and row.fingerprint == fingerprint}


def mark_stale(s: Session, target: str, fingerprint: str, probes: Mapping[str, str] | None = None) -> int:
    """Every fact that was measured under another fingerprint than this one, or by another probe; returns how many
    became stale now. probes: digests of the present ones by fact, None to look at the fingerprint alone."""
    edited = [row for row in latest(s, target) if row.state == "current" and _by_another(row, probes)]
    for row in edited:
        row.state = "stale"
        s.add(row)
    s.flush()
    return len(edited) + sql.run(
        s,
        "UPDATE chip_fact SET state = 'stale' WHERE target = :target AND fingerprint <> :fingerprint"
        " AND state = 'current'",
        target=target, fingerprint=fingerprint,
    )  # fmt: skip


def _by_another(row: ChipFactRow, probes: Mapping[str, str] | None) -> bool:
    return probes is not None and probes.get(row.name) != row.probe
