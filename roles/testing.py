"""Runs one acceptance test with its confirmation on the device, and writes every pair down as it comes."""

import math
from dataclasses import dataclass

from kernels.gates.base import Subject
from kernels.judge import collect
from kernels.judge.acceptance import CONFIRMATION
from kernels.judge.collect import Judged, Progress
from kernels.judge.registry import get_rule
from kernels.judge.rule import Rule
from kernels.sandbox.runner import RunnerFailed
from kernels.values.reading import Estimate, First, Pair
from kernels.values.verdict import Verdict
from roles.attempt import Attempt
from roles.campaign import Campaign
from roles.failure import TimedCallsFailed
from roles.giving_way import onward
from roles.guard import before_evaluation
from roles.kernel_state import KernelState
from roles.shielding import Later, complete
from store import ledger
from store.engine import Session


@dataclass(frozen=True, slots=True)
class TestResult:
    """Result of the acceptance test and, after FASTER, of its confirmation.

    estimate: by the acceptance pairs, which are selected; fresh: by the confirmation's. kind: why the candidate failed
    in mid-test ("crash", "wrong_values", ...), "" when it did not. candidate_ns: median of its readings.
    """

    __test__ = False

    test_id: int
    verdict: Verdict
    confirmed: bool
    kind: str
    reason: str
    estimate: Estimate | None = None
    fresh: Estimate | None = None
    candidate_ns: float = 0.0
    mode: str = ""


class Tester:
    """One test at a time is the device's doing; the rows are ours."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self.tests_run = 0
        self.placebos_run = 0

    async def accept(
        self, state: KernelState, subject: Subject, attempt: Attempt, node_id: int | None, *, kind: str = "acceptance"
    ) -> TestResult:
        """Raises: DeviceUnhealthy, HeadWithdrawn, asyncio.CancelledError."""
        rule = self._rule()
        self.tests_run += kind == "acceptance"
        self.placebos_run += kind == "placebo"
        try:
            test_id, judged = await self._test(state, subject, attempt, node_id, rule, kind)
            if judged.verdict is not Verdict.FASTER or kind == "placebo":
                return _result(test_id, judged, None)
            _, confirmed = await self._test(state, subject, attempt, node_id, CONFIRMATION, "confirmation")
            return _result(test_id, judged, confirmed)
        except _Failed as failed:
            return TestResult(failed.test_id, Verdict.INVALID, False, failed.kind, failed.reason)

    def _rule(self) -> Rule:
        policy = self._campaign.policy
        if policy.rule == "paired":
            return get_rule("paired", flat_within=policy.flat_within)
        return get_rule(policy.rule)

    async def _test(
        self, state: KernelState, subject: Subject, attempt: Attempt, node_id: int | None, rule: Rule, kind: str
    ) -> tuple[int, Judged]:
        campaign = self._campaign
        await onward(campaign, attempt.agent, state)
        await before_evaluation(campaign, attempt.agent, state.spec.name)
        seed = campaign.seed_of("coin", kind, subject.key, state.head.key, campaign.finished_attempts)
        test_id = await campaign.store.write(
            lambda s: ledger.start_test(
                s, campaign.id, state.spec.name, kind, candidate_id=subject.key, head_id=subject.head_key,
                node_id=node_id, lever=attempt.lever, agent=attempt.agent, rule=rule.name, seed=str(seed),
                pairs_budget=rule.budget,
            )
        )  # fmt: skip
        try:
            judged = await self._pairs(state, subject, attempt, rule, seed, test_id)
        except (RunnerFailed, TimedCallsFailed) as failure:
            await self._finish(test_id, Verdict.INVALID, None, f"{failure.kind}: {failure.detail}")
            raise _Failed(test_id, failure.kind, failure.detail) from failure
        except BaseException as end:
            await complete(
                self._finish(test_id, Verdict.INVALID, None, f"not finished: {type(end).__name__} {end}".strip())
            )
            raise
        await self._finish(test_id, judged.verdict, judged, judged.reason)
        return test_id, judged

    async def _pairs(
        self, state: KernelState, subject: Subject, attempt: Attempt, rule: Rule, seed: int, test_id: int
    ) -> Judged:
        """Raises: RunnerFailed when the candidate fails, TimedCallsFailed when its timed outputs prove wrong."""
        campaign, spec = self._campaign, state.spec
        session = await campaign.device.begin_test(spec.name, subject.head_key, subject.key)
        later, spent = Later(), 0.0

        async def measure(first: First) -> Pair:
            nonlocal spent
            await onward(campaign, attempt.agent, state)
            pair = await campaign.device.pair(session, first, subject.head_ns)
            spent = campaign.device.last_hold_s
            return pair

        async def keep(progress: Progress) -> None:
            decision, seconds = progress.decision, spent

            def rows(s: Session) -> None:
                ledger.add_pair(
                    s, test_id, progress.pair, score=decision.score, next_look=decision.next_look, seconds=seconds
                )

            later.add(campaign.store.write(rows))

        try:
            judged = await collect.judge(measure, rule, collect.coin_of(seed), on_pair=keep)
        finally:
            await later.settled()
        report = await campaign.device.end_test(session)
        if not report.ok:
            raise TimedCallsFailed(report.kind, report.reason)
        return judged

    async def _finish(self, test_id: int, verdict: Verdict, judged: Judged | None, reason: str) -> None:
        def rows(s: Session) -> None:
            ledger.finish_test(
                s, test_id, verdict,
                score=judged.decision.score if judged else None, estimate=finite(judged.estimate) if judged else None,
                no_sign=judged.decision.no_sign if judged else False, reason=reason, mode=judged.mode if judged else "",
            )  # fmt: skip

        await self._campaign.store.write(rows)


class _Failed(Exception):
    def __init__(self, test_id: int, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.test_id = test_id
        self.kind = kind
        self.reason = reason


def finite(estimate: Estimate | None) -> Estimate | None:
    """The estimate with bounds that can be stored: an open lower bound becomes -100 times the head's time."""
    if estimate is None:
        return None
    low = estimate.low if math.isfinite(estimate.low) else -100.0
    return Estimate(estimate.gain, low, estimate.high)


def _result(test_id: int, judged: Judged, confirmed: Judged | None) -> TestResult:
    if confirmed is not None and confirmed.verdict is Verdict.INVALID:
        return TestResult(test_id, Verdict.INVALID, False, "", f"in the confirmation: {confirmed.reason}")
    last = confirmed or judged
    times = sorted(p.candidate.ns for p in last.pairs)
    reason = judged.reason or judged.decision.label
    if confirmed is not None and not confirmed.confirmed:
        reason = "FASTER, but dropped in confirmation"
    return TestResult(
        test_id, judged.verdict, confirmed is not None and confirmed.confirmed, "", reason,
        finite(judged.estimate), finite(confirmed.estimate) if confirmed else None,
        times[len(times) // 2] if times else 0.0, judged.mode,
    )  # fmt: skip
