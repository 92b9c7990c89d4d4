"""One attempt judged: gates, the test, the promotion of what is faster. Reached through the pipeline alone."""

from kernels.gates.base import Subject
from kernels.gates.sequence import GateSequence
from kernels.judge.guard import outcome_of_gate, outcome_of_test
from kernels.values.verdict import GateReport, GateState, Outcome
from roles.attempt import Attempt, Result
from roles.campaign import Campaign
from roles.giving_way import onward
from roles.guard import before_evaluation
from roles.judged import AlreadyJudged, refuse_what_is_judged
from roles.kernel_state import KernelState
from roles.nodes import Nodes
from roles.promoter import Promoter
from roles.subjects import subject_held
from roles.testing import Tester
from store import designs


class Judging:
    """nodes: where what comes of an attempt is kept."""

    def __init__(
        self, campaign: Campaign, gates: GateSequence, tester: Tester, promoter: Promoter, nodes: Nodes
    ) -> None:
        self._campaign = campaign
        self._gates = gates
        self._tester = tester
        self._promoter = promoter
        self._nodes = nodes

    async def result(self, attempt: Attempt, state: KernelState, node_id: int) -> Result:
        """Raises: HeadFailed, DeviceUnhealthy, HeadMoves, HeadWithdrawn."""
        async with subject_held(self._campaign, attempt, state) as subject:
            return await self._judge(attempt, state, subject, node_id)

    async def _judge(self, attempt: Attempt, state: KernelState, subject: Subject, node_id: int) -> Result:
        async def keep(report: GateReport) -> None:
            await self._nodes.keep_report(node_id, subject, report)
            if report.gate == "compile" and report.state is GateState.PASSED:
                await refuse_what_is_judged(self._campaign, subject)
            await onward(self._campaign, attempt.agent, state)

        await onward(self._campaign, attempt.agent, state)
        await before_evaluation(self._campaign, attempt.agent, attempt.kernel)
        await self._nodes.status(attempt, f"gates: {attempt.lever}")
        try:
            refusal = await self._gates.run(subject, keep)
        except AlreadyJudged as judged:
            return Result(node_id, Outcome.REJECT, None, "already_judged", str(judged))
        if refusal is not None:
            return Result(node_id, outcome_of_gate(refusal.gate), None, refusal.kind, refusal.reason)
        await self._nodes.status(attempt, f"testing {attempt.lever}")
        await self._campaign.store.write(lambda s: designs.set_node(s, node_id, state="testing"))
        return await self._tested(attempt, state, subject, node_id)

    async def _tested(self, attempt: Attempt, state: KernelState, subject: Subject, node_id: int) -> Result:
        test = await self._tester.accept(state, subject, attempt, node_id)
        gain = test.estimate.gain if test.estimate else None
        outcome = outcome_of_test(test.verdict, gain, confirmed=test.confirmed)
        if outcome is Outcome.KEEP:
            return await self._promoter.promote(state, subject, node_id, test)
        if test.kind:
            outcome = Outcome.REVERT
        return Result(node_id, outcome, test.verdict, test.kind, test.reason, test.estimate)
