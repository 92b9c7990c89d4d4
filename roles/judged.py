"""Verdicts bind: the same machine code is not tested again under one head, except where the retest rule allows it."""

from kernels.gates.base import Subject
from kernels.judge.retest import PastTest, may_test
from kernels.values.verdict import Verdict
from roles.campaign import Campaign
from store import ledger


class AlreadyJudged(Exception):
    """What the verdict was; it stands."""


async def refuse_what_is_judged(campaign: Campaign, subject: Subject) -> None:
    """Raises: AlreadyJudged."""
    if subject.exempt or subject.artefact is None:
        return
    code, head = subject.artefact.machine_code_sha256, subject.head_key
    summaries = await campaign.store.read(lambda s: ledger.tests_of(s, campaign.id, subject.key, head))
    past = [
        PastTest(code, head, Verdict(test.verdict), test.pairs, test.no_sign)
        for test in summaries
        if test.kind == "acceptance" and test.state == "done" and test.verdict
    ]
    permission = may_test(past, code, head)
    if not permission.allowed:
        raise AlreadyJudged(f"the same machine code was {permission.reason}")
