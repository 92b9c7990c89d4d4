"""A worker: takes one brief, makes the candidate, sends it down the pipeline, reports. Short-lived by design."""

import asyncio
import json

from kernels.levers import registry
from kernels.levers.base import Application, LeverDoesNotApply
from kernels.values.candidate import Candidate
from roles.campaign import Campaign
from roles.pipeline import Attempt, Pipeline, Result
from store import agents, designs
from store.agents import BriefView

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
            brief = await campaign.store.write(lambda s: agents.take_brief(s, campaign.id, self.name))
            if brief is None:
                await self._wait()
                continue
            await self._serve(brief)

    async def _serve(self, brief: BriefView) -> None:
        campaign = self._campaign
        state, verdict = "done", "interrupted"
        try:
            await campaign.latches.passage(self.name, brief.kernel)
            result = await self._attempt(brief)
            verdict = f"{result.outcome}: {result.reason or result.verdict}"
            await self._report(brief, result)
        except LeverDoesNotApply as miss:
            state, verdict = "dropped", f"the pattern no longer fits the new head: {miss}"
        except asyncio.CancelledError:
            state = "interrupted"
            raise
        finally:
            await asyncio.shield(
                campaign.store.write(lambda s: agents.finish_brief(s, brief.id, state=state, result=verdict))
            )
            await campaign.notify()

    async def _attempt(self, brief: BriefView) -> Result:
        campaign = self._campaign
        application = Application.from_dict(json.loads(brief.application))
        candidate, parent, one_lever = await self._candidate(brief, application)
        await self._step(f"{brief.kernel}: {brief.lever}")
        return await self._pipeline.run(
            Attempt(
                kernel=brief.kernel, candidate=candidate, lever=brief.lever, family=brief.family, kind=brief.kind,
                params=application.params, reason=brief.reason, prediction=brief.prediction, agent=self.name,
                brief_id=brief.id, parent_node=parent, one_lever=one_lever,
            )
        ) if not campaign.stop.is_set() else _stopped()  # fmt: skip

    async def _candidate(self, brief: BriefView, application: Application) -> tuple[Candidate, int, bool]:
        """The briefed candidate; when the head has moved, the same lever on the new head, by syntax.

        Raises: LeverDoesNotApply when its pattern is not there any more.
        """
        campaign = self._campaign
        state, artefacts = campaign.kernels[brief.kernel], campaign.store.artefacts
        if brief.kind == "variant" and state.head.candidate.id != brief.under_parent:
            made = registry.apply(state.head.candidate, application, campaign.context(brief.kernel))
            return made, state.head.node_id, True
        candidate = await campaign.store.read(lambda s: designs.get_candidate(s, artefacts, brief.candidate_id))
        on_head = brief.base_id == state.head.candidate.id
        parent = state.head.node_id if on_head else state.baseline.node_id
        return candidate, parent, on_head

    async def _report(self, brief: BriefView, result: Result) -> None:
        gain = f" {result.gain:+.2%}" if result.gain is not None else ""
        await self._step(f"{brief.kernel}: {brief.lever} -> {result.outcome}{gain} {result.reason}".strip())

    async def _step(self, text: str) -> None:
        campaign = self._campaign

        def rows(s: agents.Session) -> None:
            agents.set_step(s, campaign.id, self.name, text)
            agents.add_line(s, campaign.id, self.name, text)

        await campaign.store.write(rows)

    async def _wait(self) -> None:
        async with self._campaign.progress:
            try:
                await asyncio.wait_for(self._campaign.progress.wait(), IDLE_S)
            except TimeoutError:
                return


def _stopped() -> Result:
    raise asyncio.CancelledError
