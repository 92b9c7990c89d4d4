"""Offers an undecided test once more: 24 pairs, UNCLEAR, and an estimate worth filing. Nothing else is tested twice."""

from collections.abc import Sequence

from kernels.judge.retest import PastTest, may_test
from kernels.levers import registry
from kernels.levers.base import Application
from kernels.values.candidate import Candidate
from kernels.values.verdict import Verdict
from roles.brains.base import Proposal
from roles.campaign import Campaign
from roles.judged import binding
from roles.kernel_state import KernelState
from store import designs, ledger
from store.attempts import Attempt as Row
from store.engine import Session

CHANCE = 0.3
"""Belief that a second test of such a candidate ends in a promotion; orders it among other proposals."""


def undecided(s: Session, campaign: Campaign, state: KernelState, rows: Sequence[Row]) -> list[tuple[Row, Candidate]]:
    """Attempts by a lever that may be tested again under the present head; what an operator sent is the operator's."""
    head, worth, known = state.head.key, campaign.policy.min_gain, registry.names()
    found: list[tuple[Row, Candidate]] = []
    for row in rows:
        promising = row.verdict == Verdict.UNCLEAR and not row.no_sign and (row.gain or 0.0) >= worth
        if (
            promising
            and row.lever in known
            and row.under_parent == head
            and _retestable(s, campaign.id, row.candidate_id, head)
        ):
            found.append((row, designs.get_candidate(s, row.candidate_id)))
    return found


def _retestable(s: Session, campaign_id: int, candidate: str, head: str) -> bool:
    tests = binding(ledger.tests_of(s, campaign_id, candidate, head))
    past = [PastTest(candidate, head, Verdict(t.verdict), t.pairs, t.no_sign) for t in tests]
    return may_test(past, candidate, head).retest


def proposal_of(kernel: str, state: KernelState, row: Row, candidate: Candidate) -> Proposal:
    """The same candidate again. A design starts from the baseline, a variant from the head, as at the first time."""
    gain = row.gain or 0.0
    params = {k: v for k, v in row.params.items() if isinstance(v, str | int | float)}
    family = registry.family_of(row.lever)
    reason = f"undecided after the whole budget of pairs, estimate {gain:+.2%}: its one retest"
    return Proposal(
        kernel=kernel, kind=row.kind,
        base=state.baseline.candidate if row.kind == "design" else state.head.candidate,
        application=Application(row.lever, family, params, "", reason, "the same as at the first time"),
        candidate=candidate, expected_gain=gain, chance=CHANCE, reason=f"{row.lever}: {reason}",
        prediction=f"{gain:+.1%} with chance {CHANCE:.0%}", score=CHANCE * gain, retest_under=state.head.key,
    )  # fmt: skip
