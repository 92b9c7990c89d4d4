"""One holder at a time of the machine: builds, checks and readings never overlap. Keeps account of its use."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class HostLock:
    """holder: what is being done with the machine now, "" when it is free. last_s: seconds of the last hold.

    spent: seconds by the first word of the holder ("build", "checking", "pair", ...), waiting for the lock not counted.
    """

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._since = 0.0
        self.holder = ""
        self.last_s = 0.0
        self.spent: dict[str, float] = {}

    async def acquire(self, holder: str) -> None:
        """Wait for the machine; a cancelled wait gives its place up."""
        await self._lock.acquire()
        self.holder = holder
        self._since = time.monotonic()

    def release(self) -> None:
        self.last_s = time.monotonic() - self._since
        word = self.holder.partition(" ")[0]
        self.spent[word] = self.spent.get(word, 0.0) + self.last_s
        self.holder = ""
        self._lock.release()

    @asynccontextmanager
    async def hold(self, holder: str) -> AsyncGenerator[None]:
        await self.acquire(holder)
        try:
            yield
        finally:
            self.release()
