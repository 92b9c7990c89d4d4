"""Races: entered, their blocks as they come, how they ended. Their readings are selected: no test and no verdict."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from sqlmodel import Session, col, select

from kernels.values.candidate import Candidate
from kernels.values.reading import Block
from kernels.values.verdict import GateReport, GateState
from store import events, sql
from store.candidates import add_candidate
from store.clock import now
from store.errors import StoreError
from store.tables import RaceBlockRow, RaceRow, RaceVariantRow

RACED = "race"  # the gate of what drops out after the gates


@dataclass(frozen=True, slots=True)
class Entry:
    """A variant, and the values of the open knobs by name."""

    candidate: Candidate
    params: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Place:
    """What a race says of one variant. median: of log(head / variant), nan when no block was usable."""

    candidate_id: str
    median: float
    blocks: int
    rounds: int
    tied: bool


def start(
    s: Session, campaign_id: int, kernel: str, *, node_id: int, head_id: str, lever: str, agent: str, seed: int,
    grid: int, entries: Sequence[Entry],
) -> int:  # fmt: skip
    """Returns the race's id; candidates and variants are kept with it."""
    row = RaceRow(
        campaign_id=campaign_id, kernel=kernel, node_id=node_id, head_id=head_id, lever=lever, agent=agent,
        seed=str(seed), grid=grid, started_at=now(),
    )  # fmt: skip
    s.add(row)
    s.flush()
    race_id = events.need_id(row.id)
    for entry in entries:
        s.add(
            RaceVariantRow(
                race_id=race_id, candidate_id=add_candidate(s, entry.candidate), params=dict(entry.params)
            )
        )  # fmt: skip
    text = f"{len(entries)} of {grid} variants of {lever} enter race {race_id}"
    events.append(s, campaign_id, "race", kernel, text, race=race_id, node=node_id, lever=lever, agent=agent)
    return race_id


def drop(s: Session, race_id: int, candidate_id: str, *, gate: str, kind: str, reason: str) -> None:
    """A variant is out: refused by a gate, caught in the race (gate `RACED`), or, with gate "", left out before it for
    what no gate says (judged before, the machine code of another variant)."""
    row = _variant(s, race_id, candidate_id)
    row.state = "caught" if gate == RACED else "refused"
    row.gate, row.kind, row.reason = gate, kind, reason
    s.add(row)


def add_block(s: Session, race_id: int, block: Block, *, seconds: float = 0.0) -> int:
    """Append a block as read; returns its seq. seconds: of the device."""
    seq = int(sql.scalar(s, "SELECT coalesce(max(seq) + 1, 0) FROM race_block WHERE race_id = :race", race=race_id))
    readings = [{"candidate": key, **asdict(reading)} for key, reading in block.readings.items()]
    s.add(
        RaceBlockRow(
            race_id=race_id, seq=seq, readings=readings, dropped={k: list(why) for k, why in block.dropped.items()},
            probe_before_gbs=block.probe_before_gbs, probe_after_gbs=block.probe_after_gbs, mode=block.mode,
            redo_reason=block.redo_reason, environment=dict(block.environment), at=now(),
        )
    )  # fmt: skip
    race = get_race(s, race_id)
    race.readings += len(readings)
    race.device_seconds += seconds
    s.add(race)
    s.flush()
    return seq


def finish(s: Session, race_id: int, winner_id: str | None, places: Sequence[Place], text: str) -> None:
    """places: best first, without those that dropped out. winner_id: None when nobody is left."""
    for rank, place in enumerate(places, start=1):
        row = _variant(s, race_id, place.candidate_id)
        row.state, row.rank, row.tied = "ranked", rank, place.tied
        row.median = place.median if math.isfinite(place.median) else None
        row.blocks, row.rounds = place.blocks, place.rounds
        s.add(row)
    race = get_race(s, race_id)
    race.state, race.winner_id, race.reason, race.finished_at = "done", winner_id, text, now()
    s.add(race)
    events.append(
        s, race.campaign_id, "race", race.kernel, text, race=race_id, node=race.node_id, lever=race.lever,
        agent=race.agent, winner=winner_id, ties=[p.candidate_id for p in places if p.tied], readings=race.readings,
        seconds=race.device_seconds,
    )  # fmt: skip


def interrupt(s: Session, race_id: int, why: str) -> None:
    """It did not end: it has no winner, and what was read says nothing."""
    race = get_race(s, race_id)
    race.state, race.reason, race.finished_at = "interrupted", why, now()
    s.add(race)
    text = f"race {race_id} of variants of {race.lever} did not end: {why}"
    events.append(s, race.campaign_id, "race", race.kernel, text, race=race_id, node=race.node_id, lever=race.lever)


def get_race(s: Session, race_id: int) -> RaceRow:
    """Raises: StoreError when there is none."""
    row = s.get(RaceRow, race_id)
    if row is None:
        raise StoreError(f"find race {race_id}", "there is none", "Take its id from a node")
    return row


def known(s: Session, campaign_id: int, kernel: str, head_id: str) -> frozenset[str]:
    """Candidates that took part in a finished race against this head, or were judged against it, under the present
    toolchain."""
    found = sql.rows(
        s,
        "SELECT race_variant.candidate_id FROM race_variant JOIN race ON race.id = race_variant.race_id"
        " JOIN node ON node.id = race.node_id AND node.fingerprint = (SELECT fingerprint FROM campaign"
        " WHERE campaign.id = :campaign)"
        " WHERE race.campaign_id = :campaign AND race.kernel = :kernel AND race.head_id = :head AND race.state = 'done'"
        " UNION SELECT node.candidate_id FROM node WHERE node.campaign_id = :campaign AND node.kernel = :kernel"
        " AND node.fingerprint = (SELECT fingerprint FROM campaign WHERE campaign.id = :campaign)"
        " AND node.under_parent = :head AND node.outcome NOT IN ('', 'INVALID') AND node.candidate_id IS NOT NULL",
        campaign=campaign_id, kernel=kernel, head=head_id,
    )  # fmt: skip
    return frozenset(str(row["candidate_id"]) for row in found)


def raced_beside(s: Session, campaign_id: int, *, until: float | None = None) -> Mapping[str, int]:
    """By kernel, the variants of finished races that have no node: all but one of each race. until: of those that had
    ended then, UTC seconds."""
    found = sql.rows(
        s,
        "SELECT race.kernel, count(*) - count(DISTINCT race.id) AS n FROM race_variant JOIN race"
        " ON race.id = race_variant.race_id WHERE race.campaign_id = :campaign AND race.state = 'done'"
        " AND (:until IS NULL OR race.finished_at <= :until) GROUP BY race.kernel",
        campaign=campaign_id, until=until,
    )  # fmt: skip
    return {str(row["kernel"]): int(row["n"]) for row in found}


def refused_in(s: Session, campaign_id: int, candidate_id: str) -> GateReport | None:
    """The final refusal of this content on its way into a race, under the same version of the pack and the same
    toolchain, in any campaign. What a gate said of it beside the head of then is not final."""
    row = sql.first(
        s,
        "SELECT race_variant.* FROM race_variant JOIN race ON race.id = race_variant.race_id"
        " JOIN campaign ON campaign.id = race.campaign_id JOIN node ON node.id = race.node_id"
        " JOIN campaign AS mine ON mine.id = :campaign"
        " AND mine.pack_digest = campaign.pack_digest AND mine.fingerprint = node.fingerprint"
        " WHERE race_variant.candidate_id = :candidate AND race_variant.state = 'refused'"
        " AND race_variant.gate IN ('source', 'legality', 'compile', 'correct')"
        " AND race_variant.kind NOT IN ('unchanged', 'unchanged_code') ORDER BY race_variant.id LIMIT 1",
        campaign=campaign_id, candidate=candidate_id,
    )  # fmt: skip
    return None if row is None else GateReport(row["gate"], GateState.REFUSED, row["kind"], row["reason"])


def seconds_of_gates(s: Session, campaign_id: int, kernel: str) -> float | None:
    """The least wall time in which a candidate passed the gates, so without waiting for others; None while there is
    none."""
    found = sql.scalar(
        s,
        "SELECT min(spent) FROM (SELECT sum(seconds) AS spent FROM gate_report JOIN node ON node.id = node_id"
        " WHERE node.campaign_id = :campaign AND node.kernel = :kernel GROUP BY node_id"
        " HAVING sum(gate = 'correct' AND gate_report.state = 'passed') > 0)",
        campaign=campaign_id, kernel=kernel,
    )  # fmt: skip
    return None if found is None else float(found)


def _variant(s: Session, race_id: int, candidate_id: str) -> RaceVariantRow:
    query = select(RaceVariantRow).where(
        col(RaceVariantRow.race_id) == race_id, col(RaceVariantRow.candidate_id) == candidate_id
    )
    row = s.exec(query).first()
    if row is None:
        raise StoreError(f"find {candidate_id[:8]} in race {race_id}", "it did not enter", "Name one of its variants")
    return row
