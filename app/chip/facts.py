"""Chip facts: measured by the probes of a target, kept in the home, told as a table or JSON."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from app.settings import UsageError
from app.text import table
from kernels.targets.base import Target
from kernels.values.numbers import significant, spread
from knowledge.facts import ChipFact, Outcome, Unmeasured, measure_all
from knowledge.probes.catalogue import definitions, folders_of
from knowledge.probes.definition import Definition
from store import chip_facts
from store.engine import DATABASE, Session, Store
from store.knowledge_files import notice
from store.tables import ChipFactRow

Say = Callable[[str], None]
Told = dict[str, Any]
SHOWN = 3  # facts of which every point is told


def known(home: Path, target: Target, workspace: Path) -> list[Told]:
    """The latest of every fact, those of another toolchain, device or probe as stale; () in a home without a database.

    Raises: ProbeError.
    """
    if not (home / DATABASE).is_file():
        return []
    with Store.open(home) as store:
        return store.write_sync(lambda s: [_told(row) for row in refreshed(s, target, workspace)])


def refreshed(s: Session, target: Target, workspace: Path) -> list[ChipFactRow]:
    """The latest of every fact, with what is stale marked so, edits of probes by hand too. Raises: ProbeError."""
    found = definitions(target.name, workspace) if folders_of(target.name, workspace) else []
    probes = {one.name: one.digest for one in found}
    notice(s, f"probe of {target.name}", probes, workspace)
    chip_facts.mark_stale(s, target.name, target.fingerprint.id, probes)
    return chip_facts.latest(s, target.name)


def due(s: Session, target: Target, workspace: Path) -> tuple[str, ...]:
    """Facts that are not measured under the present toolchain by the present probe. Raises: ProbeError."""
    held = {row.name for row in refreshed(s, target, workspace) if row.state == "current"}
    return tuple(one.name for one in definitions(target.name, workspace) if one.name not in held)


def measured(
    home: Path, target: Target, workspace: Path, names: Sequence[str], readings: int, say: Say
) -> list[Unmeasured]:
    """Measure and keep; returns what could not be measured. Raises: UsageError, ProbeError."""
    wanted = _wanted(definitions(target.name, workspace), names)
    left: list[Unmeasured] = []
    with Store.open(home) as store:

        def done(outcome: Outcome) -> None:
            if isinstance(outcome, ChipFact):
                fact = outcome
                store.write_sync(lambda s: chip_facts.keep(s, fact))
                say(f"  {fact.name:<20} {_value(fact.value, fact.low, fact.high, fact.unit)}")
            else:
                left.append(outcome)
                say(f"  {outcome.name:<20} not measured: {outcome.why}")

        folder = home / "cache" / "probes"
        asyncio.run(measure_all(target, wanted, folder, done, readings))
    return left


def _wanted(found: Sequence[Definition], names: Sequence[str]) -> list[Definition]:
    unknown = sorted(set(names) - {one.name for one in found})
    if unknown:
        raise UsageError(f"facts {', '.join(unknown)}: there are none of that name; known: {_names(found)}")
    return [one for one in found if not names or one.name in names]


def _names(found: Sequence[Definition]) -> str:
    return ", ".join(one.name for one in found)


def _told(row: ChipFactRow) -> Told:
    return {
        "name": row.name, "title": row.title, "value": row.value, "low": row.low, "high": row.high, "unit": row.unit,
        "state": row.state, "fingerprint": row.fingerprint, "probe": row.probe, "at": row.at, "readings": row.readings,
        "points": row.points, "fit": row.fit, "environment": row.environment,
    }  # fmt: skip


def text(facts: Sequence[Told], target: Target) -> str:
    """A table, and below it what is stale or missing."""
    if not facts:
        return f"no chip fact of {target.name} yet: ./run.sh knowledge facts --measure"
    rows = [[f["name"], _value(f["value"], f["low"], f["high"], f["unit"]), f["state"], f["title"]] for f in facts]
    stale = sum(f["state"] == "stale" for f in facts)
    points = "".join(_points(f) for f in facts) if len(facts) <= SHOWN else ""
    more = f"\n{stale} of another toolchain or device: ./run.sh knowledge facts --measure" if stale else ""
    return table(("fact", "median (quartiles)", "state", "what"), rows) + points + more


def _points(fact: Told) -> str:
    """A line for each point of a sweep, or level of what flips."""
    lines = [
        f"  {fact['name']} at {x if isinstance(x, str) else significant(x)}: {significant(value)}"
        for x, value in fact["points"]
    ]
    return "".join(f"\n{line}" for line in lines)


def _value(value: float, low: float, high: float, unit: str) -> str:
    return spread(value, low, high, unit)
