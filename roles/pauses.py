"""Keeps in the store who is paused, so that every screen shows it and `p` there knows what it would turn."""

from roles.campaign import Campaign
from store import kernel_states, pauses


class Pauses:
    """An agent is `pausing` until it stands at a latch, then `paused`; a kernel is marked while its latch is closed."""

    name = "pauses"

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign

    async def restore(self) -> None:
        """Kernels that were paused when the engine before this one ended are paused again."""
        campaign = self._campaign
        for row in await campaign.store.read(lambda s: kernel_states.of(s, campaign.id)):
            if row.paused and row.kernel in campaign.kernels:
                await campaign.latches.close(row.kernel)

    async def run(self) -> None:
        latches, seen = self._campaign.latches, -1
        while True:
            seen = await latches.changed_since(seen)
            await self.keep()

    async def keep(self) -> None:
        campaign = self._campaign
        latches, kernels = campaign.latches, campaign.latches.closed & set(campaign.kernels)
        await campaign.store.write(lambda s: pauses.keep(s, campaign.id, latches.standing, kernels))
