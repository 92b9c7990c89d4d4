"""The strategist: ranks what the architects propose, opens briefs for the workers, lets dead levers rest."""

import asyncio

from roles.campaign import Campaign
from store import agents

NAME = "strategist"
TICK_S = 0.5
DEAD_AFTER = 6  # misses of one lever family on one kernel, without a single success, under one head


class Strategist:
    name = NAME

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._served: dict[str, int] = {}

    async def run(self) -> None:
        while not self._campaign.stop.is_set():
            await self._campaign.latches.passage(self.name)
            await self._turn()
            await self._wait()

    async def _turn(self) -> None:
        campaign = self._campaign
        if all(state.exhausted for state in campaign.kernels.values()):
            campaign.request_stop("no kernel has an idea left")
        open_briefs = await campaign.store.read(lambda s: agents.open_briefs(s, campaign.id))
        free = campaign.policy.workers - len(open_briefs)
        busy = {brief.kernel for brief in open_briefs}
        for kernel in self._by_need(busy)[: max(free, 0)]:
            await self._open_best(kernel)

    def _by_need(self, busy: set[str]) -> list[str]:
        """Kernels without an open brief, least served first, the one furthest above its peak before the others."""
        campaign = self._campaign
        ready = [
            name
            for name, state in campaign.kernels.items()
            if name not in busy and not state.exhausted and not campaign.latches.is_closed(name)
        ]
        return sorted(ready, key=lambda name: (self._served.get(name, 0), -_above_peak(campaign, name)))

    async def _open_best(self, kernel: str) -> None:
        campaign = self._campaign
        brief = await campaign.store.write(lambda s: agents.open_best_brief(s, campaign.id, kernel))
        if brief is None:
            return
        self._served[kernel] = self._served.get(kernel, 0) + 1
        await campaign.store.write(
            lambda s: agents.add_line(s, campaign.id, self.name, f"{kernel}: {brief.lever}, {brief.prediction}")
        )
        await campaign.notify()

    async def _wait(self) -> None:
        async with self._campaign.progress:
            try:
                await asyncio.wait_for(self._campaign.progress.wait(), TICK_S)
            except TimeoutError:
                return


def _above_peak(campaign: Campaign, kernel: str) -> float:
    state = campaign.kernels[kernel]
    return state.head.ns / state.peak_ns if state.peak_ns else float("inf")
