"""Keeps in the store who is paused and who waits, so that every screen shows it and `p` there knows what it turns."""

import asyncio
from typing import Final

from roles.campaign import Campaign
from store import kernel_states, pauses

LOOK_S: Final = 0.5
"""What an agent does counts when it is found so at two looks: a look around between two waits is no work."""


class Pauses:
    """An agent is `pausing` until it stands at a latch, then `paused`; a kernel is marked while its latch is closed. An
    agent without anything to do is `waiting`."""

    name = "pauses"

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._seen: dict[str, bool] = {}
        self._waits: dict[str, bool] = {}

    async def restore(self) -> None:
        """Kernels that were paused when the engine before this one ended are paused again."""
        campaign = self._campaign
        for row in await campaign.store.read(lambda s: kernel_states.of(s, campaign.id)):
            if row.paused and row.kernel in campaign.kernels:
                await campaign.latches.close(row.kernel)

    async def run(self) -> None:
        latches, seen = self._campaign.latches, -1
        while True:
            try:
                async with asyncio.timeout(LOOK_S):
                    seen = await latches.changed_since(seen)
            except TimeoutError:
                self._look()
            await self.keep()

    def _look(self) -> None:
        for name in self._campaign.agent_names:
            waits = self._campaign.waits(name)
            if self._seen.get(name) == waits:
                self._waits[name] = waits
            self._seen[name] = waits

    def _standing(self, name: str) -> str:
        waits = self._waits.get(name, self._campaign.waits(name))
        return self._campaign.latches.standing(name) or ("waiting" if waits else "working")

    async def keep(self) -> None:
        """Written where it is another state than the store has."""
        campaign = self._campaign
        standing = {name: self._standing(name) for name in campaign.agent_names}
        kernels = campaign.latches.closed & set(campaign.kernels)
        if await campaign.store.read(lambda s: pauses.differ(s, campaign.id, standing, kernels)):
            await campaign.store.write(lambda s: pauses.keep(s, campaign.id, standing, kernels))
