"""Waiting for money: a request that only others under way keep from being sent waits until one of them has ended and
cost less than was reserved for it. A limit that is reached for good ends it at once, and all that come later."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from roles.brains.backoff import Told
from roles.shielding import complete
from store.llm_calls import LimitReached

AtLimit = Callable[[LimitReached], Coroutine[Any, Any, None]]


@dataclass(slots=True)
class Purse:
    """Of one campaign. told: hears of each limit once, when it is reached for good. reached: those limits, by title."""

    told: AtLimit | None = None
    reached: dict[str, LimitReached] = field(default_factory=dict)
    _under_way: int = 0
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def opened(self, start: Callable[[], Awaitable[int]], told: Told) -> int:
        """What `start` gives, tried again after each end of another request. Every one needs its `closed`.

        Raises: LimitReached, and what `start` raises.
        """
        waits = False
        while True:
            self._refuse_after_the_end()
            ended = self._ended
            try:
                call_id = await start()
            except LimitReached as limit:
                if limit.for_good or not self._under_way:
                    await self._note(limit)
                    raise
                if not waits:
                    await told(f"waits for requests under way: {limit}")
                waits = True
                await ended.wait()
            else:
                self._under_way += 1
                return call_id

    def closed(self) -> None:
        self._under_way -= 1
        self._ended.set()
        self._ended = asyncio.Event()

    def _refuse_after_the_end(self) -> None:
        """The campaign's own limit is final, also for a smaller request that would still fit. Raises: LimitReached."""
        for limit in self.reached.values():
            if limit.cap.scope == "campaign":
                raise LimitReached(str(limit), limit.cap)

    async def _note(self, limit: LimitReached) -> None:
        known = limit.cap.title in self.reached
        self.reached[limit.cap.title] = limit
        if not known and self.told is not None:
            await complete(self.told(limit))
