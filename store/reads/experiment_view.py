"""What became of an experiment's trajectories, by their campaigns' rows."""

from dataclasses import dataclass

from sqlmodel import Session

from store import campaigns, experiments, races, sql
from store.experiments import Final
from store.reads.campaign_views import spent_usd
from store.reads.worked import clock_of
from store.scores import factor_of


@dataclass(frozen=True, slots=True)
class Claim:
    """One promotion in force. positions: taken until then, it included; seconds: of the campaign; factor: by its fresh
    pairs, else by its test."""

    kernel: str
    positions: int
    seconds: float
    usd: float
    factor: float


@dataclass(frozen=True, slots=True)
class TrajectoryView:
    """campaign: None before it has begun. positions: every attempt takes one, refusals and crashes too. finals: by
    kernel, empty before the final block."""

    id: int
    arm: str
    number: int
    seed: int
    campaign: int | None
    state: str
    stopped_because: str
    positions: int
    device_s: float
    elapsed_s: float
    usd: float
    claims: tuple[Claim, ...]
    finals: dict[str, Final]


@dataclass(frozen=True, slots=True)
class Acted:
    """What parts of the loop did in an arm's campaigns. refused: candidates by gate; raced: races that were held;
    remembered: wins and traps that were written."""

    refused: dict[str, int]
    raced: int
    remembered: int


def trajectories(s: Session, experiment_id: int) -> tuple[TrajectoryView, ...]:
    """Arm by arm."""
    return tuple(_view(s, row) for row in experiments.trajectories(s, experiment_id))


def _view(s: Session, row: experiments.TrajectoryRow) -> TrajectoryView:
    finals = experiments.finals_of(row)
    if row.campaign_id is None:
        return TrajectoryView(row.id, row.arm, row.number, row.seed, None, "waiting", "", 0, 0.0, 0.0, 0.0, (), finals)
    one = campaigns.get(s, row.campaign_id)
    return TrajectoryView(
        row.id, row.arm, row.number, row.seed, one.id, one.state, one.stopped_because,
        campaigns.finished_attempts(s, one.id), campaigns.device_seconds(s, one.id), one.elapsed_s,
        spent_usd(s, one.id), claims(s, one.id), finals,
    )  # fmt: skip


def claims(s: Session, campaign_id: int) -> tuple[Claim, ...]:
    """Promotions in force, oldest first."""
    clock = clock_of(s, campaign_id)
    found = sql.rows(
        s,
        "SELECT promotion.kernel, promotion.at, coalesce(fresh_gain, promotion.gain) AS gain FROM promotion JOIN node"
        " ON node.id = promotion.node_id WHERE promotion.campaign_id = :campaign AND demoted_at IS NULL"
        " AND NOT node.tainted ORDER BY promotion.id",
        campaign=campaign_id,
    )
    return tuple(
        Claim(
            r["kernel"], _positions_at(s, campaign_id, r["at"]), clock.worked_s(r["at"]),
            _usd_at(s, campaign_id, r["at"]), factor_of(r["gain"]),
        )
        for r in found
    )  # fmt: skip


def _positions_at(s: Session, campaign_id: int, at: float) -> int:
    """Taken before, and that of the promotion itself, whose node ends just after it."""
    judged = sql.scalar(
        s,
        "SELECT count(*) FROM node WHERE campaign_id = :campaign AND finished_at < :at"
        " AND outcome IN ('REJECT', 'REVERT', 'ACCEPT', 'KEEP')",
        campaign=campaign_id, at=at,
    )  # fmt: skip
    return int(judged) + 1 + sum(races.raced_beside(s, campaign_id, until=at).values())


def _usd_at(s: Session, campaign_id: int, at: float) -> float:
    found = sql.scalar(
        s,
        "SELECT coalesce(sum(usd), 0) FROM llm_call WHERE campaign_id = :campaign AND finished_at <= :at",
        campaign=campaign_id, at=at,
    )  # fmt: skip
    return float(found)


def acted(s: Session, campaign_ids: "tuple[int, ...]") -> Acted:
    """Over these campaigns together."""
    listed = ", ".join(str(int(one)) for one in campaign_ids) or "NULL"
    refused = sql.rows(
        s,
        "SELECT gate, count(*) AS n FROM gate_report JOIN node ON node.id = gate_report.node_id"
        f" WHERE node.campaign_id IN ({listed}) AND gate_report.state = 'refused' GROUP BY gate",
    )
    raced = sql.scalar(s, f"SELECT count(*) FROM race WHERE campaign_id IN ({listed}) AND state = 'done'")
    remembered = sql.scalar(s, f"SELECT count(*) FROM memory WHERE campaign_id IN ({listed})")
    return Acted({row["gate"]: int(row["n"]) for row in refused}, int(raced), int(remembered))
