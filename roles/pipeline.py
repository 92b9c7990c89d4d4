"""THE path of one candidate: gates, device, judge, ledger rows. Every door to the head leads through here."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from kernels.device.auditing import Audit
from kernels.device.report import DeviceUnhealthy, HeadFailed
from kernels.gates.sequence import GateSequence
from kernels.judge.guard import plateau_after
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import CompileFailed
from kernels.values.verdict import GateReport, Outcome, Verdict
from roles import trouble
from roles.attempt import Attempt, Result
from roles.audits import audit_of
from roles.campaign import Campaign
from roles.failure import HeadMoves, HeadWithdrawn
from roles.guard import refuse_changed
from roles.judging import Judging
from roles.kernel_state import KernelState
from roles.nodes import Nodes
from roles.placebo import Placebos
from roles.promoter import Promoter
from roles.racing import Racer
from roles.shielding import complete
from roles.subjects import subject_held
from roles.testing import Tester, TestResult
from store import events
from store.audits import Found

GAVE_WAY: Final = "gave_way"


class Pipeline:
    """Runs attempts; one kernel's attempts one at a time."""

    def __init__(self, campaign: Campaign, gates: GateSequence, tester: Tester, promoter: Promoter) -> None:
        self._campaign = campaign
        self._gates = gates
        self._placebos = Placebos(campaign, gates, tester)
        self._racer = Racer(campaign, gates)
        self._promoter = promoter
        self._nodes = Nodes(campaign)
        self._judging = Judging(campaign, gates, tester, promoter, self._nodes)

    @property
    def placebo_after(self) -> int | None:
        """Acceptance tests until the next placebo is due; None when there are none."""
        return self._placebos.due_after

    async def run(self, kernel: str, make: Callable[[], Attempt], *, ahead: bool = False) -> Result:
        """Judge one attempt. `make` is called when the kernel's turn has come, so that it starts from the head of then;
        and again when it gave way to a head that a person approved. ahead: before all who wait for their turn.

        Infrastructure failures bind nothing: the outcome is INVALID and says why.
        Raises: asyncio.CancelledError when killed (the node is then marked interrupted), and what `make` raises.
        """
        state = self._campaign.kernels[kernel]
        while True:
            async with state.lock.ahead() if ahead else state.lock:
                result = await self._turn(make(), state)
            if result.kind != GAVE_WAY:
                return result

    async def _turn(self, attempt: Attempt, state: KernelState) -> Result:
        node_id = await complete(self._nodes.open(attempt, state))
        attempt, result = await self._raced_and_judged(attempt, state, node_id)
        await complete(self._close(attempt, state, result))
        if result.kind != GAVE_WAY:
            await self._placebo(attempt, state, self._placebos.after)
        return result

    async def promote_confirmed(self, attempt: Attempt, node_id: int, head: str, test: TestResult) -> Result | None:
        """Make the head of what was confirmed beside the head of this id before; None when another one is it by now.
        Attempts give way to it: the one under way after the step in hand, those that wait until it is done.

        Raises: DeviceUnhealthy, HeadWithdrawn.
        """
        campaign, state = self._campaign, self._campaign.kernels[attempt.kernel]
        async with self._right_of_way(state, f"node {node_id} was approved"):
            if state.head.key != head:
                return None
            async with subject_held(campaign, attempt, state) as subject:
                try:
                    subject.artefact = await campaign.build(attempt.candidate, state.spec)
                    subject.loaded = True
                    await campaign.device.load(attempt.kernel, subject.key, subject.artefact.path)
                    result = await self._promoter.promote(state, subject, node_id, test)
                except (CompileFailed, RunnerFailed) as failure:
                    raise DeviceUnhealthy(f"what was confirmed does not run any more: {failure}") from failure
            await complete(self._close(attempt, state, result, again=True))
            return result

    @asynccontextmanager
    async def _right_of_way(self, state: KernelState, why: str) -> AsyncGenerator[None]:
        state.moving = why
        try:
            await self._campaign.latches.look_again()
            async with state.lock.ahead():
                state.moving = ""
                yield
        finally:
            state.moving = ""

    async def placebo(self, kernel: str, agent: str) -> None:
        """One placebo beside the scheduled ones, when the kernel's turn has come."""
        state = self._campaign.kernels[kernel]
        async with state.lock:
            await self._placebo(
                Attempt(kernel, state.head.candidate, "", "", "variant", agent=agent), state, self._placebos.run
            )

    async def remeasure(self, kernel: str) -> None:
        """The ledger of the present head anew, when the kernel's turn has come."""
        state = self._campaign.kernels[kernel]
        async with state.lock:
            await complete(self._promoter.remeasure(state))

    async def check_only(
        self, attempt: Attempt, *, until: str, audit: Audit | None = None
    ) -> tuple[list[GateReport], Found | None]:
        """The gates on one candidate without a test: what `check` shows. `until` names the last gate; what passes them
        is audited when that is asked for."""
        state = self._campaign.kernels[attempt.kernel]
        reports: list[GateReport] = []
        found: Found | None = None

        async def keep(report: GateReport) -> None:
            reports.append(report)

        async with state.lock:
            await refuse_changed(self._campaign)
            async with subject_held(self._campaign, attempt, state) as subject:
                refusal = await self._gates.run(subject, keep, until=until)
                if refusal is None and audit is not None:
                    plan = replace(audit, control=state.baseline.key)
                    found = await audit_of(self._campaign.device, attempt.kernel, subject.key, plan)
        return reports, found

    async def _raced_and_judged(self, attempt: Attempt, state: KernelState, node_id: int) -> tuple[Attempt, Result]:
        """The result, and the attempt it is of: with variants, that of their race's winner."""
        try:
            winner = await self._racer.winner(attempt, state, node_id)
            if winner is not attempt:
                attempt = winner
                await self._nodes.becomes(node_id, attempt)
            return attempt, await self._judging.result(attempt, state, node_id)
        except asyncio.CancelledError:
            await complete(self._nodes.interrupted(attempt, node_id))
            raise
        except HeadFailed as failure:
            await self._promoter.suspect(state, str(failure))
            return attempt, Result(node_id, Outcome.INVALID, Verdict.INVALID, "head", f"the head failed: {failure}")
        except DeviceUnhealthy as failure:
            return attempt, Result(node_id, Outcome.INVALID, Verdict.INVALID, "device", str(failure))
        except HeadMoves as moves:
            return attempt, Result(node_id, Outcome.INVALID, Verdict.INVALID, GAVE_WAY, f"it gave way: {moves}")
        except HeadWithdrawn as withdrawn:
            why = f"its head moves back: {withdrawn}"
            return attempt, Result(node_id, Outcome.INVALID, Verdict.INVALID, "withdrawn", why)

    async def _close(self, attempt: Attempt, state: KernelState, result: Result, *, again: bool = False) -> None:
        """again: its node was finished before."""
        campaign = self._campaign
        state.plateau = plateau_after(state.plateau, result.outcome)
        campaign.finished_attempts += result.outcome is not Outcome.INVALID and not again
        await self._nodes.close(attempt, result)
        await trouble.note(campaign, attempt.kernel, result)
        state.finished.put_nowait((attempt, result))
        state.finished_since_exhausted = True
        await campaign.notify()

    async def _placebo(
        self, attempt: Attempt, state: KernelState, run: Callable[[Attempt, KernelState], Awaitable[None]]
    ) -> None:
        """A placebo that cannot run binds nobody; the device's trouble shows in the next attempt."""
        campaign = self._campaign
        try:
            await run(attempt, state)
        except (DeviceUnhealthy, HeadWithdrawn) as failure:
            kind = "interrupted" if isinstance(failure, HeadMoves) else "unhealthy"
            text = f"placebo not run: {failure}"
            await campaign.store.write(lambda s: events.append(s, campaign.id, kind, attempt.kernel, text))
