"""Experiments and their trajectories: made, found again, bound to campaigns, measured in the end."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlmodel import Session, col, select

from store import events
from store.clock import now
from store.errors import StoreError
from store.tables import CampaignRow, ExperimentRow, TrajectoryRow


@dataclass(frozen=True, slots=True)
class Final:
    """What the final block measured of one kernel of one trajectory. head: candidate id. ratios: log(start / head), one
    a pair; empty when the head is the start itself, which is 1 without measuring. problem: why it failed, or ""."""

    head: str
    ratios: tuple[float, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A trajectory to be run. seed: of its campaign."""

    arm: str
    number: int
    seed: int


def create(
    s: Session, *, name: str, digest: str, plan: Mapping[str, Any], pack: str, pack_digest: str, target: str,
    fingerprint: str, device: str, toolchain: str, trajectories: Sequence[Wanted],
) -> int:  # fmt: skip
    """With all of its trajectories; returns its id."""
    row = ExperimentRow(
        name=name, digest=digest, plan=dict(plan), pack=pack, pack_digest=pack_digest, target=target,
        fingerprint=fingerprint, device=device, toolchain=toolchain, started_at=now(),
    )  # fmt: skip
    s.add(row)
    s.flush()
    number = events.need_id(row.id)
    s.add_all(TrajectoryRow(experiment_id=number, **asdict(one)) for one in trajectories)
    events.append(s, None, "experiment", name, f"experiment {number} on {pack}: {len(trajectories)} trajectories")
    return number


def find(s: Session, digest: str) -> ExperimentRow | None:
    """The newest of this plan."""
    same = select(ExperimentRow).where(ExperimentRow.digest == digest)
    return s.exec(same.order_by(col(ExperimentRow.id).desc()).limit(1)).first()


def get(s: Session, experiment_id: int) -> ExperimentRow:
    """Raises: StoreError when there is none."""
    row = s.get(ExperimentRow, experiment_id)
    if row is None:
        raise StoreError(f"find experiment {experiment_id}", "there is none", "List them with `experiment`")
    return row


def listing(s: Session) -> list[ExperimentRow]:
    """Newest first."""
    return list(s.exec(select(ExperimentRow).order_by(col(ExperimentRow.id).desc())).all())


def trajectories(s: Session, experiment_id: int) -> list[TrajectoryRow]:
    """In the order in which they were made: arm by arm."""
    found = select(TrajectoryRow).where(TrajectoryRow.experiment_id == experiment_id)
    return list(s.exec(found.order_by(col(TrajectoryRow.id))).all())


def bind(s: Session, trajectory_id: int, campaign_id: int) -> None:
    """This campaign is the trajectory from now on. Raises: StoreError when there is no such trajectory."""
    row = s.get(TrajectoryRow, trajectory_id)
    if row is None:
        raise StoreError(f"find trajectory {trajectory_id}", "there is none", "Start the experiment again")
    row.campaign_id = campaign_id
    s.add(row)


def ended(s: Session, trajectory: TrajectoryRow) -> bool:
    """Whether its campaign has come to its end, whatever ended it."""
    campaign = None if trajectory.campaign_id is None else s.get(CampaignRow, trajectory.campaign_id)
    return campaign is not None and campaign.state == "finished"


def finish(s: Session, experiment_id: int, finals: Mapping[int, Mapping[str, Final]]) -> None:
    """The final block, whole: by trajectory and kernel. With it the experiment is done."""
    row = get(s, experiment_id)
    for one in trajectories(s, experiment_id):
        one.finals = {kernel: asdict(final) for kernel, final in finals.get(one.id, {}).items()}
        s.add(one)
    row.state, row.ended_at = "done", now()
    s.add(row)
    events.append(s, None, "experiment", row.name, f"experiment {experiment_id} is done")


def finals_of(row: TrajectoryRow) -> dict[str, Final]:
    return {
        kernel: Final(one["head"], tuple(one["ratios"]), one["problem"]) for kernel, one in row.finals.items()
    }  # fmt: skip
