"""One architect a kernel: keeps a few proposals ready for the strategist, drops those that the head has outrun."""

import asyncio

from kernels.judge.expiry import Judged, expired
from kernels.levers import registry
from kernels.values.verdict import Outcome
from roles.brains.base import Lesson, Proposal, Situation, Tried
from roles.campaign import Campaign
from roles.retests import proposal_of, undecided
from store import agents, designs, folds, memory, races
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
            await self._campaign.wait_for_progress(IDLE_S)

    async def refill(self) -> None:
        """Until enough proposals are ready, or there is no idea left."""
        state = self._campaign.kernels[self._kernel]
        await self._offer_retests()
        missing = READY - len(state.proposals)
        if missing <= 0 or (state.exhausted and not state.finished_since_exhausted):
            return
        head = state.head.candidate.id
        situation = await self.situation()
        seed = self._campaign.seed_of("propose", self._kernel, len(situation.tried), len(situation.in_flight))
        found = await asyncio.to_thread(self._campaign.brain.propose, situation, missing, seed)
        if state.head.candidate.id != head:
            return
        await self._offer(found)

    async def _offer_retests(self) -> None:
        """What is undecided under the present head comes once more, among the new ideas."""
        state, campaign = self._campaign.kernels[self._kernel], self._campaign
        head, taken = state.head.key, self._in_flight() | {p.candidate.id for p in state.proposals}
        found = await campaign.store.read(lambda s: undecided(s, campaign, state, self._rows(s)))
        again = [(row, candidate) for row, candidate in found if candidate.id not in taken]
        if again and state.head.key == head:
            await self._offer([proposal_of(self._kernel, state, row, c) for row, c in again])

    def _rows(self, s: Session) -> tuple[Row, ...]:
        return tuple(row for row in designs.attempts(s, self._campaign.id, self._kernel) if row.state == "done")

    async def _offer(self, found: list[Proposal]) -> None:
        state = self._campaign.kernels[self._kernel]
        was_exhausted, in_flight = state.exhausted, self._in_flight()
        state.proposals.extend(found)
        state.exhausted = not state.proposals and not in_flight
        state.finished_since_exhausted = False
        if state.exhausted and not was_exhausted:
            await self._say("no idea left under this head")
        for proposal in found:
            await self._say(f"{proposal.application.lever}: {proposal.prediction}")
        if found or state.exhausted:
            await self._campaign.notify()

    async def situation(self) -> Situation:
        """What is known of the kernel now, from the rows. What is in flight is noted first: an attempt that ends
        meanwhile is then in both, never in neither."""
        campaign, kernel = self._campaign, self._kernel
        state = campaign.kernels[kernel]
        head, in_flight = state.head.candidate, self._in_flight() | {p.candidate.id for p in state.proposals}
        tried, lessons = await campaign.store.read(self._known)
        banned = await campaign.store.read(lambda s: folds.banned(s, campaign.id, kernel))
        raced = await campaign.store.read(lambda s: races.known(s, campaign.id, kernel, head.id))
        return Situation(
            kernel=kernel,
            context=campaign.context(kernel),
            baseline=state.baseline.candidate,
            head=head,
            head_ns=state.head.ns,
            peak_ns=state.peak_ns,
            plateau=state.plateau,
            tried=tried,
            lessons=lessons,
            raced=raced,
            in_flight=in_flight,
            banned=banned,
            skills=campaign.skills(kernel),
            priors=campaign.policy.priors,
        )

    def _known(self, s: Session) -> tuple[list[Tried], list[Lesson]]:
        campaign, kernel = self._campaign, self._kernel
        rows = self._rows(s)
        tried = [_tried(row, old) for row, old in zip(rows, expired([_judged(row) for row in rows]), strict=True)]
        if not campaign.policy.memory.on:
            return tried, []
        found = memory.recall(s, campaign.kernels[kernel].character.type, campaign_id=campaign.id)
        return tried, [
            Lesson(row.kind, row.kernel, row.lever, row.strategy, row.gain or 0.0)
            for row in found
            if row.kernel != kernel
        ]

    def _in_flight(self) -> frozenset[str]:
        return frozenset(p.candidate.id for p in self._campaign.briefed.values() if p.kernel == self._kernel)

    async def _say(self, text: str) -> None:
        campaign = self._campaign
        await campaign.store.write(lambda s: agents.add_line(s, campaign.id, self.name, text))


def _family(lever: str) -> str:
    """What an operator sends was made by no lever."""
    try:
        return registry.family_of(lever)
    except ValueError:
        return "operator"


def _judged(row: Row) -> Judged:
    return Judged(row.verdict, row.outcome == Outcome.KEEP and not row.tainted, row.kind == "design", row.gain)


def _tried(row: Row, old: bool) -> Tried:
    """What a fold won is no win."""
    outcome = str(Outcome.REVERT) if row.tainted and row.outcome == Outcome.KEEP else row.outcome
    return Tried(
        row.lever, _family(row.lever),
        {k: v for k, v in row.params.items() if isinstance(v, str | int | float)},
        row.candidate_id, outcome, row.verdict, row.under_parent, row.gain, expired=old and not row.tainted,
    )  # fmt: skip
