"""Holding the machine for many short pieces of work: about four seconds at a time, then whoever waits gets a turn."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from typing import Final, TypeVar

from kernels.device.hostlock import HostLock, machine_lock

HOLD_S: Final = 4.0
A = TypeVar("A")
B = TypeVar("B")


async def one_by_one(
    device: str, holder: str, pieces: Iterable[A], work: Callable[[A], B]
) -> AsyncGenerator[tuple[A, B]]:
    """Each piece with its result, as they come; `work` runs in a thread while the machine is held. device: a target."""
    lock, waiting = HostLock(machine_lock(device)), list(pieces)
    try:
        while waiting:
            done: list[tuple[A, B]] = []
            async with lock.hold(holder):
                until = time.monotonic() + HOLD_S
                while waiting and (not done or time.monotonic() < until):
                    piece = waiting.pop(0)
                    done.append((piece, await asyncio.to_thread(work, piece)))
            for pair in done:
                yield pair
    finally:
        lock.close()
