"""Takes the ledger anew when the last entry of a promoted head is a day old: devices and their noise drift."""

from kernels.judge.ledger import EVERY_HOURS
from roles.campaign import Campaign
from roles.pipeline import Pipeline
from store import ledger

TICK_S = 60.0


class LedgerClock:
    name = "ledger-clock"

    def __init__(self, campaign: Campaign, pipeline: Pipeline) -> None:
        self._campaign = campaign
        self._pipeline = pipeline

    async def run(self) -> None:
        campaign = self._campaign
        while not campaign.stop.is_set():
            await campaign.latches.passage(self.name)
            for kernel in campaign.kernels:
                await self._look(kernel)
            await campaign.wait_for_stop(TICK_S, self.name)

    async def _look(self, kernel: str) -> None:
        campaign = self._campaign
        state = campaign.kernels[kernel]
        if state.head.key == state.baseline.key or campaign.latches.is_closed(kernel):
            return
        last = await campaign.store.read(lambda s: ledger.last_entry_at(s, campaign.id, kernel))
        if last is not None and campaign.clock() - last >= EVERY_HOURS * 3600.0:
            await self._pipeline.remeasure(kernel)
