"""Work that holds the machine until it has really ended, whatever becomes of whoever asked for it.

A thread or a request cannot be taken back: cancelling its caller must not free the machine while it goes on. So the
work is a task of its own that owns the hold; callers only wait for it. A cancel while the machine is not free yet gives
the place up, and nothing is started.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, Final, Protocol, TypeVar

T = TypeVar("T")

_running: Final[set[asyncio.Task[Any]]] = set()  # the event loop itself keeps tasks only weakly


class Host(Protocol):
    """Whoever gives the machine out, one holder at a time: on cpu-c builds, checks and readings never overlap."""

    def host(self, holder: str) -> AbstractAsyncContextManager[None]: ...


async def build_under_lock(host: Host, holder: str, job: Callable[[], T]) -> T:
    """Run blocking work in a thread while holding the machine, e.g. `"build qkv"` and a call of the compiler.

    A cancelled caller gets its cancel at once; the machine is free when the thread has ended.
    Raises: what `job` raises.
    """
    return await asyncio.shield(await start_under_lock(host, holder, lambda: asyncio.to_thread(job)))


async def start_under_lock(host: Host, holder: str, work: Callable[[], Awaitable[T]]) -> asyncio.Task[T]:
    """Wait for the machine and start `work`; the task gives the machine back when it ends."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(host.host(holder))
        return detached(_held(stack.pop_all(), work))


def detached(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """A task that outlives its caller. Its failure is for whoever still waits for it, and for nobody else."""
    task = asyncio.create_task(work)
    _running.add(task)
    task.add_done_callback(_ended)
    return task


async def _held(hold: AsyncExitStack, work: Callable[[], Awaitable[T]]) -> T:
    async with hold:
        return await work()


def _ended(task: asyncio.Task[Any]) -> None:
    _running.discard(task)
    if not task.cancelled():
        task.exception()  # seen: no "never retrieved" in the log for a caller that has gone
