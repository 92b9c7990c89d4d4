"""Work that must not be left half-done when its task is cancelled, and work that nobody needs to wait for yet."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def complete(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end even when the caller is cancelled meanwhile; the cancel is then raised."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


class Later:
    """Rows on their way to the disk while the device goes on: `settled` waits for all, and raises what failed."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[Any]] = []

    def add(self, work: Coroutine[Any, Any, Any]) -> None:
        self._tasks.append(asyncio.create_task(work))

    async def settled(self) -> None:
        tasks, self._tasks = self._tasks, []
        await complete(_all(tasks))


async def _all(tasks: list[asyncio.Task[Any]]) -> None:
    for task in tasks:
        await task
