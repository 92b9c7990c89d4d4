"""The device in its owner's hands for a time: nothing runs on it until it is released or the time is over.

It has a latch of its own, so that what a person or a guard paused before or meanwhile stays paused afterwards.
"""

import asyncio
from collections.abc import Awaitable, Callable

from roles.campaign import Campaign
from roles.latches import ALL, DEVICE


class Holding:
    """close, show: of the operator: a latch for all, and the campaign's state."""

    def __init__(
        self, campaign: Campaign, close: Callable[[str], Awaitable[None]], show: Callable[[str], Awaitable[None]]
    ) -> None:
        self._campaign, self._close, self._show = campaign, close, show
        self._timer: asyncio.Task[None] | None = None

    async def hold(self, minutes: float) -> str:
        """Another one takes the place of one that is not over."""
        self.end()
        await self._close(DEVICE)
        self._timer = asyncio.create_task(self._over(minutes * 60.0), name="device-hold")
        return f"device handed back for {minutes:g} minutes"

    async def release(self) -> str:
        if not self._campaign.held:
            return "the device was not handed back: nothing to release"
        self.end()
        return await self._given_back()

    def end(self) -> None:
        """No clock releases it any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _over(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self._timer = None
        await self._given_back()

    async def _given_back(self) -> str:
        latches = self._campaign.latches
        await latches.open(DEVICE)
        if latches.is_closed(ALL):
            return "device released; the loop stays paused, as it was"
        await self._show("running")
        await self._campaign.notify()
        return "device released, all go on"
