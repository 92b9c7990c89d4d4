"""THE path of one candidate: gates, device, judge, ledger rows. Every door to the head leads through here."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from kernels.device.client import DeviceUnhealthy
from kernels.gates.base import Subject
from kernels.gates.sequence import GateSequence
from kernels.judge.guard import outcome_of_gate, outcome_of_test, plateau_after
from kernels.sandbox.runner import RunnerFailed
from kernels.values.candidate import Candidate
from kernels.values.verdict import GateReport, Outcome, Verdict
from roles.campaign import Campaign, Head, KernelState
from roles.testing import Tester, TestResult
from store import campaigns, designs, events

CHEAP_GATES = frozenset({"source", "legality", "compile", "estimate"})


@dataclass(frozen=True, slots=True)
class Attempt:
    """One candidate to be judged, and who wants it and why."""

    kernel: str
    candidate: Candidate
    lever: str
    family: str
    kind: str  # design, variant
    params: Mapping[str, str | int | float] = field(default_factory=dict)
    reason: str = ""
    prediction: str = ""
    agent: str = ""
    brief_id: int | None = None
    parent_node: int | None = None
    one_lever: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    node_id: int
    outcome: Outcome
    verdict: str
    kind: str
    reason: str
    gain: float | None = None


class Pipeline:
    """Runs attempts; one kernel's attempts one at a time."""

    def __init__(self, campaign: Campaign, gates: GateSequence, tester: Tester) -> None:
        self._campaign = campaign
        self._gates = gates
        self._tester = tester

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
                await asyncio.shield(self._interrupted(node_id))
                raise
            except DeviceUnhealthy as failure:
                result = Result(node_id, Outcome.INVALID, Verdict.INVALID, "device", str(failure))
            finally:
                await self._let_go(subject, state)
            await self._close_node(attempt, state, result)
            return result

    async def check_only(self, attempt: Attempt, *, until: str = "correct") -> list[GateReport]:
        """The gates on one candidate without a test: what `check` shows."""
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
            await self._keep_report(node_id, attempt.kernel, report)

        refusal = await self._gates.run(subject, keep)
        if refusal is not None:
            return Result(node_id, outcome_of_gate(refusal.gate), "", refusal.kind, refusal.reason)
        test = await self._tester.accept(state, subject, node_id, attempt)
        return await self._conclude(attempt, state, subject, node_id, test)

    async def _conclude(
        self, attempt: Attempt, state: KernelState, subject: Subject, node_id: int, test: TestResult
    ) -> Result:
        outcome = outcome_of_test(test.verdict, test.estimate, confirmed=test.confirmed)
        if outcome is Outcome.KEEP:
            problem = await self._final_check(state, subject, test)
            if problem:
                return Result(node_id, Outcome.REVERT, test.verdict, "promotion_check", problem, test.gain)
            await self._promote(attempt, state, subject, node_id, test)
        return Result(node_id, outcome, test.verdict, test.kind, test.reason, test.gain)

    async def _final_check(self, state: KernelState, subject: Subject, test: TestResult) -> str:
        """What only a promotion asks: gain worth filing, and the epoch of uniform codes. "" when all is well."""
        if test.gain is not None and test.gain < self._campaign.policy.min_gain:
            return (
                f"fresh-pair estimate {test.gain:+.2%} is below the {self._campaign.policy.min_gain:.1%} worth filing"
            )
        try:
            report = await self._campaign.device.check(state.spec.name, subject.key, promotion=True)
        except RunnerFailed as failure:
            return f"{failure.kind}: {failure.detail}"
        return "" if report.ok else f"{report.kind}: {report.reason}"

    async def _promote(
        self, attempt: Attempt, state: KernelState, subject: Subject, node_id: int, test: TestResult
    ) -> None:
        campaign, artefact = self._campaign, subject.artefact
        code = artefact.machine_code_sha256 if artefact else ""
        head = Head(attempt.candidate, node_id, test.candidate_ns, code)
        await campaign.store.write(
            lambda s: designs.promote(
                s, campaign.id, attempt.kernel,
                candidate_id=attempt.candidate.id, node_id=node_id, test_id=test.test_id,
                previous_id=state.head.candidate.id, gain=test.gain or 0.0,
                low=test.low or 0.0, high=test.high or 0.0, head_ns=head.ns, lever=attempt.lever,
            )
        )  # fmt: skip
        previous, state.head = state.head, head
        state.promotions_since_ledger += 1
        if previous.key not in (state.baseline.key, state.ledger_head.key if state.ledger_head else ""):
            await campaign.device.unload(previous.key)

    async def _subject(self, attempt: Attempt, state: KernelState) -> Subject:
        campaign = self._campaign
        refused = await campaign.store.read(
            lambda s: designs.refused_before(s, campaign.id, attempt.kernel, attempt.candidate.id)
        )
        return Subject(
            candidate=attempt.candidate,
            spec=state.spec,
            head=state.head.candidate,
            head_key=state.head.key,
            head_ns=state.head.ns,
            folder=campaign.build_folder(attempt.candidate),
            one_lever=attempt.one_lever,
            refused_before=refused or "",
            head_machine_code=state.head.machine_code,
        )

    async def _open_node(self, attempt: Attempt, state: KernelState) -> int:
        campaign = self._campaign

        def rows(s: "designs.Session") -> int:
            designs.add_candidate(s, campaign.store.artefacts, attempt.candidate)
            return designs.add_node(
                s, campaign.id, attempt.kernel,
                kind=attempt.kind, parent_id=attempt.parent_node, candidate_id=attempt.candidate.id,
                lever=attempt.lever, family=attempt.family, params=dict(attempt.params), reason=attempt.reason,
                prediction=attempt.prediction, agent=attempt.agent, brief_id=attempt.brief_id,
                under_parent=state.head.candidate.id,
            )  # fmt: skip

        return await campaign.store.write(rows)

    async def _keep_report(self, node_id: int, kernel: str, report: GateReport) -> None:
        category = {"compile": "build", "correct": "check", "batch": "readings"}.get(report.gate, "overhead")

        def rows(s: "designs.Session") -> None:
            designs.add_gate_report(s, node_id, report)
            campaigns.add_usage(s, self._campaign.id, category, report.seconds)

        await self._campaign.store.write(rows)

    async def _close_node(self, attempt: Attempt, state: KernelState, result: Result) -> None:
        campaign = self._campaign
        state.plateau = plateau_after(state.plateau, result.outcome)
        campaign.finished_attempts += 1

        def rows(s: "designs.Session") -> None:
            designs.finish_node(
                s, result.node_id,
                outcome=result.outcome, verdict=result.verdict, kind=result.kind, reason=result.reason,
                gain=result.gain,
            )  # fmt: skip
            designs.set_kernel(s, campaign.id, attempt.kernel, plateau=state.plateau)

        await campaign.store.write(rows)
        await campaign.notify()

    async def _interrupted(self, node_id: int) -> None:
        campaign = self._campaign

        def rows(s: "designs.Session") -> None:
            designs.interrupt_node(s, node_id)
            events.append(s, campaign.id, "interrupted", f"node {node_id}", "killed in mid-attempt")

        await campaign.store.write(rows)

    async def _let_go(self, subject: Subject, state: KernelState) -> None:
        keep = {state.head.key, state.baseline.key}
        if subject.loaded and subject.key not in keep:
            await self._campaign.device.unload(subject.key)
