"""Whose turn it is on a kernel: one at a time, first come first, but for who may go ahead of all that wait."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class Turns:
    """`async with turns` is a turn; `async with turns.ahead()` is the next one, whoever waits."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._ahead = 0
        self._nobody_ahead = asyncio.Event()
        self._nobody_ahead.set()

    def locked(self) -> bool:
        """Whether somebody has it now."""
        return self._lock.locked()

    async def __aenter__(self) -> None:
        await self._lock.acquire()
        while self._ahead:
            self._lock.release()
            await self._nobody_ahead.wait()
            await self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()

    @asynccontextmanager
    async def ahead(self) -> AsyncGenerator[None]:
        self._ahead += 1
        self._nobody_ahead.clear()
        try:
            await self._lock.acquire()
        finally:
            self._ahead -= 1
            if not self._ahead:
                self._nobody_ahead.set()
        try:
            yield
        finally:
            self._lock.release()
