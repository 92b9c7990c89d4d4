"""What is known of one kernel now, from the rows: what a brain is told before it proposes or ranks."""

from kernels.gates.base import UNCHANGED_CODE
from kernels.judge.expiry import Judged, expired
from kernels.levers import registry
from kernels.profiling.profile import Profile
from kernels.values.verdict import Outcome
from roles.brains.base import Lesson, Situation, Tried
from roles.campaign import Campaign
from store import designs, folds, memory, profiles, races
from store.attempts import Attempt as Row
from store.engine import Session


async def situation_of(campaign: Campaign, kernel: str) -> Situation:
    """What is in flight is noted first: an attempt that ends meanwhile is then in both, never in neither."""
    state = campaign.kernels[kernel]
    head, taken = state.head.candidate, in_flight(campaign, kernel) | {p.candidate.id for p in state.proposals}
    tried, lessons = await campaign.store.read(lambda s: _known(s, campaign, kernel))
    banned = await campaign.store.read(lambda s: folds.banned(s, campaign.id, kernel))
    raced = await campaign.store.read(lambda s: races.known(s, campaign.id, kernel, head.id))
    return Situation(
        kernel=kernel,
        context=campaign.context(kernel),
        baseline=state.baseline.candidate,
        head=head,
        head_ns=state.head.ns,
        peak_ns=state.peak_ns,
        plateau=state.plateau,
        tried=tried,
        lessons=lessons,
        raced=raced,
        in_flight=taken,
        banned=banned,
        skills=campaign.skills(kernel),
        priors=campaign.policy.priors,
        ranked={**campaign.ranking.values_of(kernel), **{lever: 1.0 for k, lever in campaign.preferred if k == kernel}},
        stopped=campaign.ranking.stopped_of(kernel),
        leaderboard=campaign.policy.leaderboard,
        refining=kernel in campaign.refining,
        profile=await campaign.store.read(lambda s: _profile(s, campaign, kernel, head.id)),
    )


def _profile(s: Session, campaign: Campaign, kernel: str, head: str) -> Profile | None:
    """Of this very head."""
    known = profiles.latest(s, campaign.id, kernel)
    return known.record.head if known is not None and known.record.head.candidate == head else None


def in_flight(campaign: Campaign, kernel: str) -> frozenset[str]:
    """Ids of candidates that have an open brief."""
    return frozenset(p.candidate.id for p in campaign.briefed.values() if p.kernel == kernel)


def finished_rows(s: Session, campaign: Campaign, kernel: str) -> tuple[Row, ...]:
    return tuple(row for row in designs.attempts(s, campaign.id, kernel) if row.state == "done")


def _known(s: Session, campaign: Campaign, kernel: str) -> tuple[list[Tried], list[Lesson]]:
    rows = finished_rows(s, campaign, kernel)
    expiries = expired([_judged(row) for row in rows])
    tried = [_tried(row, old or row.former) for row, old in zip(rows, expiries, strict=True)]
    if not campaign.policy.lessons_of_others:
        return tried, []
    found = memory.recall(s, campaign.kernels[kernel].character.type, campaign_id=campaign.id)
    return tried, [
        Lesson(row.kind, row.kernel, row.lever, row.strategy, row.gain or 0.0) for row in found if row.kernel != kernel
    ]


def family_of(lever: str) -> str:
    """Of levers; what an operator sends was made by none."""
    try:
        return registry.family_of(lever)
    except ValueError:
        return "operator"


def _judged(row: Row) -> Judged:
    return Judged(row.verdict, row.outcome == Outcome.KEEP and not row.tainted, row.kind == "design", row.gain)


def _tried(row: Row, old: bool) -> Tried:
    """What a fold won is no win."""
    outcome = str(Outcome.REVERT) if row.tainted and row.outcome == Outcome.KEEP else row.outcome
    return Tried(
        row.lever, family_of(row.lever),
        {k: v for k, v in row.params.items() if isinstance(v, str | int | float)},
        row.candidate_id, outcome, row.verdict, row.under_parent, row.gain, expired=old and not row.tainted,
        idle=row.refusal == UNCHANGED_CODE,
    )  # fmt: skip
