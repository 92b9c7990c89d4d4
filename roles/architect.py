"""One architect a kernel: keeps a few proposals ready for the strategist, drops those that the head has outrun."""

import asyncio
from dataclasses import replace

from kernels.values.candidate import Candidate
from roles.brains.base import Proposal, Situation
from roles.brains.open_ideas import is_open
from roles.campaign import Campaign
from roles.retests import proposal_of, undecided
from roles.situations import finished_rows, in_flight, situation_of
from store import agents
from store.attempts import Attempt as Row
from store.engine import Session

READY = 3
IDLE_S = 5.0


class Architect:
    def __init__(self, campaign: Campaign, kernel: str) -> None:
        self.name = f"architect-{kernel}"
        self._campaign = campaign
        self._kernel = kernel

    async def run(self) -> None:
        while not self._campaign.stop.is_set():
            await self._campaign.latches.passage(self.name, self._kernel)
            await self.refill()
            await self._campaign.wait_for_progress(IDLE_S, self.name)

    async def refill(self) -> None:
        """Until enough proposals are ready, or there is no idea left."""
        state = self._campaign.kernels[self._kernel]
        await self._offer_retests()
        missing = max(READY, self._campaign.policy.kernel_workers) - len(state.proposals)
        if missing <= 0 or (state.exhausted and not state.finished_since_exhausted):
            return
        head = state.head.candidate.id
        situation = await self.situation()
        found = await self._proposed(situation, missing)
        if not found and situation.stopped:  # what was stopped is last in line, not gone
            found = await self._proposed(replace(situation, stopped=frozenset()), missing)
        if state.head.candidate.id != head:
            return
        await self._offer(found)

    async def _proposed(self, situation: Situation, count: int) -> list[Proposal]:
        seed = self._campaign.seed_of("propose", self._kernel, len(situation.tried), len(situation.in_flight))
        return await asyncio.to_thread(self._campaign.brain.propose, situation, count, seed)

    async def _offer_retests(self) -> None:
        """What is undecided under the present head comes once more, among the new ideas."""
        state, campaign = self._campaign.kernels[self._kernel], self._campaign
        head, taken = state.head.key, in_flight(campaign, self._kernel) | {p.candidate.id for p in state.proposals}
        found = await campaign.store.read(self._undecided)
        again = [(row, candidate) for row, candidate in found if candidate.id not in taken]
        if again and state.head.key == head:
            await self._offer([proposal_of(self._kernel, state, row, c) for row, c in again])

    def _undecided(self, s: Session) -> list[tuple[Row, Candidate]]:
        campaign = self._campaign
        return undecided(s, campaign, campaign.kernels[self._kernel], finished_rows(s, campaign, self._kernel))

    async def _offer(self, found: list[Proposal]) -> None:
        state = self._campaign.kernels[self._kernel]
        was_exhausted, open_now = state.exhausted, in_flight(self._campaign, self._kernel)
        taken = open_now | {p.candidate.id for p in state.proposals}
        found = [p for p in found if p.candidate.id not in taken or is_open(p)]
        state.proposals.extend(found)
        state.exhausted = not state.proposals and not open_now and not self._ran_dry()
        state.finished_since_exhausted = False
        if state.exhausted and not was_exhausted:
            await self._say("no idea left under this head")
        for proposal in found:
            await self._say(f"{proposal.application.lever}: {proposal.prediction}")
        if found or state.exhausted:
            await self._campaign.notify()

    async def situation(self) -> Situation:
        """What is known of the kernel now."""
        return await situation_of(self._campaign, self._kernel)

    def _ran_dry(self) -> bool:
        """Asked when no proposal is left: whether more ideas are being sought, so that it is too early to give up."""
        return False

    async def _say(self, text: str) -> None:
        campaign = self._campaign
        await campaign.store.write(lambda s: agents.add_line(s, campaign.id, self.name, text))
