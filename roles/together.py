"""Two bodies of one role at once: they end together, and the failure of either is the role's."""

import asyncio
from collections.abc import Awaitable, Callable

Body = Callable[[], Awaitable[None]]


async def together(*bodies: Body) -> None:
    """Until one of them ends; the others are cancelled then. Raises: what it raised, asyncio.CancelledError."""
    tasks = [asyncio.ensure_future(body()) for body in bodies]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
