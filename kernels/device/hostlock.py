"""One holder at a time of the machine: builds, checks and readings never overlap."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class HostLock:
    """holder: what is being done with the machine now, "" when it is free."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self.holder = ""

    async def acquire(self, holder: str) -> None:
        """Wait for the machine; a cancelled wait gives its place up."""
        await self._lock.acquire()
        self.holder = holder

    def release(self) -> None:
        self.holder = ""
        self._lock.release()

    @asynccontextmanager
    async def hold(self, holder: str) -> AsyncGenerator[None]:
        await self.acquire(holder)
        try:
            yield
        finally:
            self.release()
