"""Verdicts bind: the same machine code is not tested again under one head, except where the retest rule allows it."""

from collections.abc import Sequence

from kernels.gates.base import Subject
from kernels.judge.retest import PastTest, may_test
from kernels.values.verdict import Verdict
from roles.campaign import Campaign
from store import approvals, folds, ledger
from store.ledger import TestSummary

FASTER, INVALID = str(Verdict.FASTER), str(Verdict.INVALID)


class AlreadyJudged(Exception):
    """What the verdict was; it stands."""


def binding(tests: Sequence[TestSummary]) -> list[TestSummary]:
    """Finished acceptance tests whose verdict stands, in their order.

    FASTER stands only once its confirmation dropped it: one that was cut off, or that was confirmed and then cut off
    before the promotion, is judged again.
    """
    finished = [t for t in tests if t.state == "done" and t.verdict]
    dropped = [t.id for t in finished if t.kind == "confirmation" and t.verdict not in (FASTER, INVALID)]
    return [
        t
        for t in finished
        if t.kind == "acceptance" and (t.verdict != FASTER or any(later > t.id for later in dropped))
    ]


async def refuse_what_is_judged(campaign: Campaign, subject: Subject) -> None:
    """Raises: AlreadyJudged."""
    if subject.exempt or subject.artefact is None:
        return
    code, head = subject.artefact.machine_code_sha256, subject.head_key
    fold = await campaign.store.read(lambda s: folds.fold_in(s, campaign.id, machine_code=code))
    if fold is not None:
        raise AlreadyJudged(fold.reason)
    vetoed = await campaign.store.read(
        lambda s: approvals.veto_on(s, campaign.id, candidate=subject.key, machine_code=code)
    )
    if vetoed:
        raise AlreadyJudged(f"the same machine code was {vetoed}")
    summaries = await campaign.store.read(lambda s: ledger.tests_of(s, campaign.id, subject.key, head))
    past = [PastTest(code, head, Verdict(t.verdict), t.pairs, t.no_sign) for t in binding(summaries)]
    permission = may_test(past, code, head)
    if not permission.allowed:
        raise AlreadyJudged(f"the same machine code was {permission.reason}")
