"""A worker: takes one brief, makes the candidate, sends it down the pipeline, reports."""

import asyncio

from kernels.levers import registry
from kernels.levers.base import LeverDoesNotApply
from kernels.values.verdict import Outcome
from roles.brains.base import Proposal
from roles.campaign import Attempt, Campaign
from roles.pipeline import Pipeline
from store import agents
from store.engine import Session

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
            taken = await campaign.store.write(self._take)
            if taken is None:
                await campaign.wait_for_progress(IDLE_S)
                continue
            await self._serve(taken)

    def _take(self, s: Session) -> int | None:
        """Take the next brief, and show it; its id, or None when there is none."""
        campaign = self._campaign
        brief = agents.take_brief(s, campaign.id, self.name)
        if brief is None:
            return None
        agents.set_step(s, campaign.id, self.name, f"{brief.kernel}: {brief.lever}", brief=brief.text)
        agents.set_agent_state(s, campaign.id, self.name, "working")
        return brief.id

    async def _serve(self, brief_id: int) -> None:
        campaign = self._campaign
        proposal = campaign.briefed.get(brief_id)
        if proposal is None:
            await self._finish(brief_id, "dropped", "its proposal is gone: the engine was started anew")
            return
        state, said = "dropped", "interrupted"
        campaign.serving[self.name] = proposal.kernel
        try:
            await campaign.latches.passage(self.name, proposal.kernel)
            result = await self._pipeline.run(self._attempt(brief_id, proposal))
            if result.outcome is Outcome.INVALID:
                result = await self._pipeline.run(self._attempt(brief_id, proposal))
            state, said = "done", f"{result.outcome}: {result.reason}"
        except LeverDoesNotApply as miss:
            said = f"the pattern no longer fits the new head: {miss}"
        finally:
            campaign.briefed.pop(brief_id, None)
            campaign.serving.pop(self.name, None)
            await asyncio.shield(
                self._finish(brief_id, state, f"{proposal.kernel}: {proposal.application.lever} -> {said}")
            )
            await campaign.notify()

    def _attempt(self, brief_id: int, proposal: Proposal) -> Attempt:
        """The proposed candidate; when the head has moved, the same lever on the new head, by syntax.

        Raises: LeverDoesNotApply when its pattern is not there any more.
        """
        campaign = self._campaign
        kernel, application = campaign.kernels[proposal.kernel], proposal.application
        candidate, on_head = proposal.candidate, proposal.base.id == kernel.head.candidate.id
        if proposal.kind == "variant" and not on_head:
            candidate = registry.apply(kernel.head.candidate, application, campaign.context(proposal.kernel))
            on_head = True
        return Attempt(
            kernel=proposal.kernel, candidate=candidate, lever=application.lever, family=application.family,
            kind=proposal.kind, params=application.params, reason=proposal.reason, prediction=proposal.prediction,
            agent=self.name, brief_id=brief_id, parent_node=kernel.head.node_id if on_head else None, one_lever=on_head,
        )  # fmt: skip

    async def _finish(self, brief_id: int, state: str, said: str) -> None:
        campaign = self._campaign

        def rows(s: Session) -> None:
            agents.finish_brief(s, brief_id, state, said)
            agents.set_step(s, campaign.id, self.name, said, brief="")
            agents.add_line(s, campaign.id, self.name, said)

        await campaign.store.write(rows)
