"""THE path of one candidate: gates, device, judge, ledger rows. Every door to the head leads through here."""

import asyncio

from kernels.device.report import DeviceUnhealthy
from kernels.gates.base import Subject
from kernels.gates.sequence import GateSequence
from kernels.judge.guard import outcome_of_gate, outcome_of_test, plateau_after
from kernels.values.verdict import GateReport, Outcome, Verdict
from roles.campaign import Attempt, Campaign, KernelState, Result
from roles.placebo import Placebos
from roles.promoter import Promoter
from roles.testing import Tester
from store import designs, events, kernel_states
from store.engine import Session


class Pipeline:
    """Runs attempts; one kernel's attempts one at a time."""

    def __init__(self, campaign: Campaign, gates: GateSequence, tester: Tester, promoter: Promoter) -> None:
        self._campaign = campaign
        self._gates = gates
        self._placebos = Placebos(campaign, gates, tester)
        self._tester = tester
        self._promoter = promoter

    async def run(self, attempt: Attempt) -> Result:
        """Judge one attempt. Infrastructure failures bind nothing: the outcome is INVALID and says why.

        Raises: asyncio.CancelledError when killed; the node is then marked interrupted.
        """
        state = self._campaign.kernels[attempt.kernel]
        async with state.lock:
            node_id = await self._open_node(attempt, state)
            subject = await self._subject(attempt, state)
            try:
                result = await self._judge(attempt, state, subject, node_id)
            except asyncio.CancelledError:
                await asyncio.shield(self._interrupted(attempt, node_id))
                raise
            except DeviceUnhealthy as failure:
                result = Result(node_id, Outcome.INVALID, Verdict.INVALID, "device", str(failure))
            finally:
                await asyncio.shield(self._let_go(subject, state))
            await self._close_node(attempt, state, result)
            await self._placebo(attempt, state)
        return result

    async def check_only(self, attempt: Attempt, *, until: str) -> list[GateReport]:
        """The gates on one candidate without a test: what `check` shows. `until` names the last gate."""
        state = self._campaign.kernels[attempt.kernel]
        reports: list[GateReport] = []

        async def keep(report: GateReport) -> None:
            reports.append(report)

        async with state.lock:
            subject = await self._subject(attempt, state)
            try:
                await self._gates.run(subject, keep, until=until)
            finally:
                await self._let_go(subject, state)
        return reports

    async def _judge(self, attempt: Attempt, state: KernelState, subject: Subject, node_id: int) -> Result:
        async def keep(report: GateReport) -> None:
            await self._keep_report(node_id, subject, report)

        await self._status(attempt, f"gates: {attempt.lever}")
        refusal = await self._gates.run(subject, keep)
        if refusal is not None:
            return Result(node_id, outcome_of_gate(refusal.gate), None, refusal.kind, refusal.reason)
        await self._status(attempt, f"testing {attempt.lever}")
        await self._campaign.store.write(lambda s: designs.set_node(s, node_id, state="testing"))
        test = await self._tester.accept(state, subject, attempt, node_id)
        gain = test.estimate.gain if test.estimate else None
        outcome = outcome_of_test(test.verdict, gain, confirmed=test.confirmed)
        if outcome is Outcome.KEEP:
            return await self._promoter.promote(attempt, state, subject, node_id, test)
        if test.kind:
            outcome = Outcome.REVERT
        return Result(node_id, outcome, test.verdict, test.kind, test.reason, test.estimate)

    async def _subject(self, attempt: Attempt, state: KernelState) -> Subject:
        campaign = self._campaign
        refused = await campaign.store.read(lambda s: designs.refused_before(s, campaign.id, attempt.candidate.id))
        return Subject(
            candidate=attempt.candidate,
            spec=state.spec,
            head=state.head.candidate,
            head_key=state.head.key,
            head_ns=state.head.ns,
            folder=campaign.build_folder(attempt.candidate),
            one_lever=attempt.one_lever,
            refused_before=f"gate {refused.gate}: {refused.reason}" if refused else "",
            head_machine_code=state.head.machine_code,
        )

    async def _open_node(self, attempt: Attempt, state: KernelState) -> int:
        campaign = self._campaign

        def rows(s: Session) -> int:
            designs.add_candidate(s, attempt.candidate)
            node = designs.add_node(
                s, campaign.id, attempt.kernel, attempt.kind, parent=self._parent(s, attempt, state),
                candidate_id=attempt.candidate.id, lever=attempt.lever, params=attempt.params,
                title=title_of(attempt), reason=attempt.reason, prediction=attempt.prediction, agent=attempt.agent,
                brief_id=attempt.brief_id, state="gates",
            )  # fmt: skip
            designs.set_node(s, node, under_parent=state.head.candidate.id)
            return node

        return await campaign.store.write(rows)

    def _parent(self, s: Session, attempt: Attempt, state: KernelState) -> int:
        """The node it grows from; a design from the baseline roots a tree of its own in a new idea card."""
        if attempt.parent_node is not None:
            return attempt.parent_node
        return designs.add_node(
            s, self._campaign.id, attempt.kernel, "idea",
            lever=attempt.lever, title=attempt.lever, reason=attempt.reason, agent=attempt.agent,
        )  # fmt: skip

    async def _keep_report(self, node_id: int, subject: Subject, report: GateReport) -> None:
        campaign = self._campaign

        def rows(s: Session) -> None:
            designs.add_gate_report(s, node_id, report)
            if report.gate == "compile" and subject.artefact is not None:
                designs.set_machine_code(s, subject.candidate.id, subject.artefact.machine_code_sha256)

        await campaign.store.write(rows)

    async def _close_node(self, attempt: Attempt, state: KernelState, result: Result) -> None:
        campaign = self._campaign
        state.plateau = plateau_after(state.plateau, result.outcome)
        campaign.finished_attempts += 1

        def rows(s: Session) -> None:
            if result.outcome is not Outcome.KEEP:
                designs.finish_node(
                    s, result.node_id, result.outcome, result.verdict or "", estimate=result.estimate,
                    text=f"{result.outcome} {title_of(attempt)}: {result.reason or result.verdict}",
                )  # fmt: skip
            kernel_states.update(s, campaign.id, attempt.kernel, status="idle")

        await campaign.store.write(rows)
        state.finished.put_nowait((attempt, result))
        state.finished_since_exhausted = True
        await campaign.notify()

    async def _placebo(self, attempt: Attempt, state: KernelState) -> None:
        """A placebo that cannot run binds nobody; the device's trouble shows in the next attempt."""
        campaign = self._campaign
        try:
            await self._placebos.after(attempt, state)
        except DeviceUnhealthy as failure:
            text = f"placebo not run: {failure}"
            await campaign.store.write(lambda s: events.append(s, campaign.id, "unhealthy", attempt.kernel, text))

    async def _status(self, attempt: Attempt, text: str) -> None:
        campaign = self._campaign
        await campaign.store.write(lambda s: kernel_states.update(s, campaign.id, attempt.kernel, status=text))

    async def _interrupted(self, attempt: Attempt, node_id: int) -> None:
        campaign = self._campaign

        def rows(s: Session) -> None:
            designs.set_node(s, node_id, state="interrupted")
            kernel_states.update(s, campaign.id, attempt.kernel, status="idle")
            events.append(s, campaign.id, "interrupted", attempt.kernel, f"node {node_id} ended in mid-attempt")

        await campaign.store.write(rows)

    async def _let_go(self, subject: Subject, state: KernelState) -> None:
        """Stop the candidate's runner, unless it is a head now."""
        keep = {state.head.key, state.baseline.key}
        if subject.loaded and subject.key not in keep:
            await self._campaign.device.unload(subject.key)


def title_of(attempt: Attempt) -> str:
    """`prefetch bytes=2048`."""
    return f"{attempt.lever} {' '.join(f'{k}={v}' for k, v in attempt.params.items())}".strip()
