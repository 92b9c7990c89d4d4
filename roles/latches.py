"""Pause and kill: what the person at the keyboard holds over every role.

A pause is soft: start nothing new, finish the pair in hand. A kill is hard: the task is cancelled at once, and with it
its process group.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

ALL = "all"
DEVICE = "device"
"""Closed while the device is in its owner's hands."""
FOR_ALL: Final = (ALL, DEVICE)
NEVER: Final = frozenset({"inbox", "sources", "maintainer"})
"""Agents that stand at no latch: what they do starts nothing."""


def ledger_of(kernel: str) -> str:
    """Who waits when the ledger of a kernel is being taken."""
    return f"ledger of {kernel}"


class Latches:
    """Named latches; `all` and `device` close every one. Names are agents and kernels."""

    def __init__(self) -> None:
        self._closed: set[str] = set()
        self._changed = asyncio.Condition()
        self._changes = 0
        self._waiting: dict[str, tuple[str, ...]] = {}

    @property
    def waiting(self) -> frozenset[str]:
        """Who stands at a latch."""
        return frozenset(self._waiting)

    def standing(self, name: str) -> str:
        """ "paused" for an agent at a closed latch, "pausing" for one that has yet to come to its own, else ""."""
        if self.held_by(name):
            return "paused"
        return "pausing" if name in self._closed else ""

    def held_by(self, name: str) -> tuple[str, ...]:
        """The closed latches that an agent stands at."""
        at = self._waiting.get(name)
        return () if at is None else tuple(one for one in (*at, *FOR_ALL) if one in self._closed)

    async def changed_since(self, seen: int) -> int:
        """The number of changes, once it is another one."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._changes != seen)
            return self._changes

    def is_closed(self, *names: str) -> bool:
        return not self._closed.isdisjoint((*names, *FOR_ALL))

    @property
    def closed(self) -> frozenset[str]:
        return frozenset(self._closed)

    async def close(self, name: str) -> None:
        async with self._changed:
            self._closed.add(name)
            self._notify()

    async def open(self, name: str) -> None:
        """Opening `all` opens every latch but that of the device, which is its owner's to open."""
        async with self._changed:
            self._closed -= self._closed - {DEVICE} if name == ALL else {name}
            self._notify()

    async def open_every(self) -> None:
        """That of the device, too."""
        async with self._changed:
            self._closed.clear()
            self._notify()

    def _notify(self) -> None:
        self._changes += 1
        self._changed.notify_all()

    async def look_again(self) -> None:
        """Have those that stand at a latch ask their `unless` again."""
        async with self._changed:
            self._changed.notify_all()

    async def passage(self, *names: str, unless: Callable[[], bool] = lambda: False) -> None:
        """Wait until none of these is closed, or `unless` holds. Called before anything new is started."""
        if not self.is_closed(*names):
            return
        who = names[0] if names else ALL
        self._waiting[who] = names or (ALL,)
        try:
            async with self._changed:
                self._notify()
                await self._changed.wait_for(lambda: not self.is_closed(*names) or unless())
        finally:
            self._waiting.pop(who, None)

    async def until_waiting(self, names: Iterable[str]) -> None:
        """Wait until each of these tasks stands at a closed latch: the pause holds."""
        wanted = set(names)
        async with self._changed:
            await self._changed.wait_for(lambda: wanted <= self.waiting or not self._closed)
