"""The strategist: ranks what the architects propose and opens briefs for the workers."""

from collections import Counter

from roles.assignment import brief_s, may_open
from roles.brains.base import Proposal
from roles.campaign import Campaign
from store import agents, approvals, designs, events
from store.engine import Session

TICK_S = 0.5


class Strategist:
    name = "strategist"

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._served: dict[str, int] = {}
        self._told: tuple[int, ...] = ()

    async def run(self) -> None:
        while not self._campaign.stop.is_set():
            await self._campaign.latches.passage(self.name)
            await self.turn()
            await self._campaign.wait_for_progress(TICK_S, self.name)

    async def turn(self) -> None:
        """Open the briefs that may be opened now; with no idea left, and nothing that waits for a person, ask for the
        end."""
        campaign = self._campaign
        if not campaign.briefed and all(
            state.exhausted or self._over(name) for name, state in campaign.kernels.items()
        ):
            if not await self._a_person_is_asked():
                campaign.request_stop("no kernel has an idea left")
            return
        self._told = ()
        ready = self._by_need()[: self._free()]
        each = await brief_s(campaign) if ready else {}
        for kernel in ready:
            if may_open(campaign, kernel, each):
                await self._open_best(kernel)

    async def _a_person_is_asked(self) -> bool:
        """Whether a promotion waits for a word, or for its turn after one: a new head brings new ideas. Said once of
        the same ones."""
        campaign = self._campaign
        nodes = tuple(one.node for one in await campaign.store.read(lambda s: approvals.pending(s, campaign.id)))
        if set(nodes) - set(self._told):
            listed = ", ".join(str(node) for node in nodes)
            text = f"no idea is left under these heads: the campaign goes on with your word on node {listed}"
            await campaign.store.write(
                lambda s: events.append(s, campaign.id, "attention", "", text, nodes=list(nodes))
            )
        self._told = nodes
        return bool(nodes or campaign.promoting)

    def _free(self) -> int:
        """Briefs that may be opened now: idle workers, and no more than the budget of candidates has left."""
        campaign = self._campaign
        open_now, budget = len(campaign.briefed), campaign.budget.candidates
        idle = campaign.policy.workers - open_now
        left = budget - campaign.finished_attempts - open_now if budget else idle
        return max(min(idle, left), 0)

    def _by_need(self) -> list[str]:
        """Kernels that may have one more open brief, each as often as it may: least served first, then the one furthest
        above its peak."""
        campaign = self._campaign
        busy = Counter(proposal.kernel for proposal in campaign.briefed.values())
        ready = [
            (self._served.get(name, 0) + more, -_above_peak(campaign, name), name)
            for name, state in campaign.kernels.items()
            if not campaign.latches.is_closed(name) and not self._over(name)
            for more in range(min(len(state.proposals), campaign.policy.kernel_workers - busy[name]))
        ]
        return [name for *_, name in sorted(ready, key=lambda one: one[:2])]

    def _over(self, kernel: str) -> bool:
        """Whether the kernel's plateau has reached the setting that stops it."""
        limit = self._campaign.policy.plateau_stop
        return 0 < limit <= self._campaign.kernels[kernel].plateau

    async def _open_best(self, kernel: str) -> None:
        campaign = self._campaign
        state = campaign.kernels[kernel]
        if not state.proposals:  # a promotion may clear them at any time
            return
        best = max(state.proposals, key=lambda proposal: proposal.score)
        brief_id = await campaign.store.write(lambda s: self._rows(s, best))
        campaign.briefed[brief_id] = best
        if best in state.proposals:  # a promotion may have cleared them meanwhile
            state.proposals.remove(best)
        self._served[kernel] = self._served.get(kernel, 0) + 1
        await campaign.notify()

    def _rows(self, s: Session, best: Proposal) -> int:
        campaign, application = self._campaign, best.application
        words = campaign.ranking.words.get((best.kernel, application.lever), "")
        designs.add_candidate(s, best.candidate)
        brief_id = agents.add_brief(
            s, campaign.id, best.kernel,
            lever=application.lever, params=dict(application.params), text=f"{best.reason}\n{words}".strip(),
            author=self.name, priority=best.score,
        )  # fmt: skip
        agents.add_line(s, campaign.id, self.name, f"{best.kernel}: {application.lever}, {best.prediction}")
        return brief_id


def _above_peak(campaign: Campaign, kernel: str) -> float:
    state = campaign.kernels[kernel]
    return state.head.ns / state.peak_ns if state.peak_ns is not None else float("inf")
