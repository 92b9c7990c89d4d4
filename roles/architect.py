"""One architect a kernel: keeps a few proposals ready for the strategist, drops those that the head has outrun."""

import asyncio
import json

from kernels.values.candidate import Candidate
from roles.brains.base import Lesson, Proposal, Situation, Tried
from roles.campaign import Campaign
from store import agents, designs, memory

READY = 3
IDLE_S = 5.0


class Architect:
    def __init__(self, campaign: Campaign, kernel: str) -> None:
        self.name = f"architect-{kernel}"
        self._campaign = campaign
        self._kernel = kernel
        self._asked = 0

    async def run(self) -> None:
        while not self._campaign.stop.is_set():
            await self._campaign.latches.passage(self.name, self._kernel)
            await self._refill()
            await self._wait()

    async def _wait(self) -> None:
        async with self._campaign.progress:
            try:
                await asyncio.wait_for(self._campaign.progress.wait(), IDLE_S)
            except TimeoutError:
                return

    async def _refill(self) -> None:
        campaign, kernel = self._campaign, self._kernel
        state = campaign.kernels[kernel]
        head = state.head.candidate.id
        dropped = await campaign.store.write(lambda s: agents.drop_stale_briefs(s, campaign.id, kernel, head))
        if dropped:
            await self._say(f"{dropped} proposals dropped: the head moved on")
        waiting = await campaign.store.read(lambda s: agents.waiting_briefs(s, campaign.id, kernel))
        if len(waiting) >= READY:
            return
        situation = await self.situation()
        self._asked += 1
        seed = campaign.seed_of("propose", kernel, len(situation.tried), self._asked)
        proposals = await asyncio.to_thread(campaign.brain.propose, situation, READY - len(waiting), seed)
        await self._file(proposals, head, exhausted=not proposals and not waiting)

    async def _file(self, proposals: list[Proposal], head: str, *, exhausted: bool) -> None:
        campaign = self._campaign
        if campaign.kernels[self._kernel].head.candidate.id != head:
            return
        for proposal in proposals:
            await self._write_brief(proposal, head)
        state = campaign.kernels[self._kernel]
        if exhausted != state.exhausted:
            state.exhausted = exhausted
            await self._say("no idea left under this head" if exhausted else "new ideas")
        if proposals or exhausted:
            await campaign.notify()

    async def _write_brief(self, proposal: Proposal, head: str) -> None:
        campaign = self._campaign
        application = proposal.application

        def rows(s: agents.Session) -> None:
            designs.add_candidate(s, campaign.store.artefacts, proposal.candidate)
            designs.add_candidate(s, campaign.store.artefacts, proposal.base)
            agents.add_brief(
                s, campaign.id, self._kernel,
                lever=application.lever, family=application.family, kind=proposal.kind,
                application=json.dumps(application.to_dict()), base_id=proposal.base.id,
                candidate_id=proposal.candidate.id, under_parent=head, score=proposal.score,
                reason=proposal.reason, prediction=proposal.prediction, author=self.name,
            )  # fmt: skip

        await campaign.store.write(rows)

    async def situation(self) -> Situation:
        """What is known of the kernel now, from the rows."""
        campaign, kernel = self._campaign, self._kernel
        state = campaign.kernels[kernel]
        tried = await campaign.store.read(lambda s: designs.attempts(s, campaign.id, kernel))
        lessons = await campaign.store.read(lambda s: memory.recall(s, campaign.id))
        flying = await campaign.store.read(lambda s: agents.briefed_candidates(s, campaign.id, kernel))
        points = await self._working_points()
        return Situation(
            kernel=kernel,
            context=campaign.context(kernel),
            baseline=state.baseline.candidate,
            head=state.head.candidate,
            head_ns=state.head.ns,
            peak_ns=state.peak_ns,
            plateau=state.plateau,
            tried=[
                Tried(t.lever, t.family, t.params, t.candidate_id, t.outcome, t.verdict, t.under_parent, t.gain)
                for t in tried
            ],
            lessons=[Lesson(m.kind, m.kernel, m.lever, m.strategy, m.gain) for m in lessons if m.kernel != kernel],
            in_flight=frozenset(flying),
            working_points=points,
        )

    async def _working_points(self) -> list[Candidate]:
        campaign, kernel = self._campaign, self._kernel
        head = campaign.kernels[kernel].head.candidate.id
        artefacts = campaign.store.artefacts
        return await campaign.store.read(
            lambda s: [
                designs.get_candidate(s, artefacts, i) for i in designs.working_points(s, campaign.id, kernel, head)
            ]
        )

    async def _say(self, text: str) -> None:
        campaign = self._campaign
        await campaign.store.write(lambda s: agents.add_line(s, campaign.id, self.name, text))
