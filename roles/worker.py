"""A worker: takes one brief, makes the candidate, sends it down the pipeline, reports."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from kernels.levers import registry
from kernels.levers.base import LeverDoesNotApply
from kernels.levers.grid import open_knobs
from kernels.values.prediction import Prediction
from kernels.values.verdict import Outcome
from roles.attempt import Attempt, Result
from roles.brains.base import Proposal
from roles.campaign import Campaign, Serving
from roles.pipeline import Pipeline
from roles.shielding import complete
from store import agents
from store.engine import Session

T = TypeVar("T")
IDLE_S = 1.0


class Worker:
    def __init__(self, campaign: Campaign, pipeline: Pipeline, name: str) -> None:
        self.name = name
        self._campaign = campaign
        self._pipeline = pipeline

    async def run(self) -> None:
        campaign = self._campaign
        while not campaign.stop.is_set():
            await campaign.latches.passage(self.name)
            if not await self.once():
                await campaign.wait_for_progress(IDLE_S, self.name)

    async def once(self) -> bool:
        """Take one brief and serve it to its end; False when there is none."""
        brief_id = await self._next()
        if brief_id is None:
            return False
        await self._serve(brief_id)
        return True

    async def _next(self) -> int | None:
        """Take a brief; one that was taken when we are killed goes back to nobody, and its kernel is free again."""
        taking = asyncio.create_task(self._campaign.store.write(self._take))
        try:
            return await asyncio.shield(taking)
        except asyncio.CancelledError:
            await asyncio.wait({taking})
            lost = taking.result() if not taking.cancelled() and taking.exception() is None else None
            if lost is not None:
                self._campaign.briefed.pop(lost, None)
            raise

    def _take(self, s: Session) -> int | None:
        """Take the next brief, and show it; its id, or None when there is none."""
        campaign = self._campaign
        brief = agents.take_brief(s, campaign.id, self.name)
        if brief is None:
            return None
        agents.set_step(s, campaign.id, self.name, f"{brief.kernel}: {brief.lever}", brief=brief.text)
        return brief.id

    async def _serve(self, brief_id: int) -> None:
        campaign = self._campaign
        proposal = campaign.briefed.get(brief_id)
        if proposal is None:
            await self._finish(brief_id, "dropped", "its proposal is gone: the engine was started anew")
            return
        state, said = "dropped", "interrupted"
        try:
            await campaign.latches.passage(self.name, proposal.kernel)
            state, said = await self.work(brief_id, proposal)
        except LeverDoesNotApply as miss:
            said = f"the pattern no longer fits the new head: {miss}"
        finally:
            campaign.briefed.pop(brief_id, None)
            text = f"{proposal.kernel}: {proposal.application.lever} -> {said}"
            await complete(self._finish(brief_id, state, text))
            await campaign.notify()

    async def work(self, brief_id: int, proposal: Proposal) -> tuple[str, str]:
        """What becomes of a brief: its state, and what is said of it. Raises: LeverDoesNotApply."""
        for _ in range(2):  # what the device spoiled is tried once more
            result = await self.killable(proposal.kernel, self._judged(brief_id, proposal), brief_id)
            if result is None or result.outcome is not Outcome.INVALID:
                break
        return ("done", f"{result.outcome}: {result.reason}") if result is not None else ("dropped", "killed")

    async def _judged(self, brief_id: int, proposal: Proposal) -> Result:
        """In line until the kernel's turn has come. Raises: LeverDoesNotApply."""
        in_line = self._campaign.in_line

        def turn() -> Attempt:
            in_line.discard(self.name)
            return self.attempt(brief_id, proposal)

        in_line.add(self.name)
        try:
            return await self._pipeline.run(proposal.kernel, turn)
        finally:
            in_line.discard(self.name)

    async def killable(self, kernel: str, run: Coroutine[Any, Any, T], brief: int | None = None) -> T | None:
        """Work on a kernel as a task of its own, so that it can be killed apart from us; None when it was."""
        task = asyncio.create_task(run, name=f"{self.name} {kernel}")
        self._campaign.serving[self.name] = Serving(kernel, task, brief)
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait({task})
            raise
        finally:
            self._campaign.serving.pop(self.name, None)
        return None if task.cancelled() else task.result()

    def attempt(self, brief_id: int, proposal: Proposal) -> Attempt:
        """The proposed candidate; when the head has moved, the same lever on the new head, by syntax.

        Raises: LeverDoesNotApply when its pattern is not there any more.
        """
        campaign = self._campaign
        kernel, application = campaign.kernels[proposal.kernel], proposal.application
        candidate, on_head = proposal.candidate, proposal.base.id == kernel.head.candidate.id
        if proposal.retest_under not in ("", kernel.head.key):
            raise LeverDoesNotApply("an undecided test is repeated under its own head only, and the head has moved")
        if proposal.kind == "variant" and not on_head:
            candidate = registry.apply(kernel.head.candidate, application, campaign.context(proposal.kernel))
            on_head = True
        base = kernel.head.candidate if on_head else proposal.base
        knobs = () if proposal.retest_under else open_knobs(base, candidate, application.lever)
        return Attempt(
            kernel=proposal.kernel, candidate=candidate, lever=application.lever, family=application.family,
            kind=proposal.kind, params=application.params, reason=proposal.reason,
            prediction=Prediction(proposal.prediction, proposal.expected_gain, proposal.chance),
            agent=self.name, brief_id=brief_id, parent_node=kernel.head.node_id if on_head else None, one_lever=on_head,
            base=proposal.base.id,
            knobs=tuple(knob.name for knob in knobs),
        )  # fmt: skip

    async def _finish(self, brief_id: int, state: str, said: str) -> None:
        campaign = self._campaign

        def rows(s: Session) -> None:
            agents.finish_brief(s, brief_id, state, said)
            agents.set_step(s, campaign.id, self.name, said, brief="")
            agents.add_line(s, campaign.id, self.name, said)

        await campaign.store.write(rows)
