"""Trying again: one budget of tries and waiting for each request, and one door a provider that all its callers share.

A provider that says when to come back shuts its door for that long: nobody asks it meanwhile.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from roles.brains.failure import Final, Retryable

T = TypeVar("T")
Told = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Patience:
    """tries: of one request. waited_s: over all pauses between them; a longer wait is the end of it. The pauses double
    from first_s up to most_s, each drawn between three quarters and all of itself."""

    tries: int = 6
    waited_s: float = 300.0
    first_s: float = 1.0
    most_s: float = 60.0

    def pause(self, number: int) -> float:
        """Seconds after the failure of try `number`, counted from 0."""
        return min(self.first_s * 2.0**number, self.most_s) * random.uniform(0.75, 1.0)


@dataclass(slots=True)
class Door:
    """Of one provider. opens_at: monotonic seconds."""

    opens_at: float = 0.0

    async def passage(self) -> None:
        """Wait until it is open; a little apart, so that those who waited do not all come at once."""
        wait = self.opens_at - time.monotonic()
        while wait > 0:
            await asyncio.sleep(wait + random.uniform(0.0, 0.05) * max(wait, 0.2))
            wait = self.opens_at - time.monotonic()  # somebody else may have shut it meanwhile

    def shut(self, seconds: float) -> None:
        self.opens_at = max(self.opens_at, time.monotonic() + seconds)


@dataclass(slots=True)
class Doors:
    by_provider: dict[str, Door] = field(default_factory=dict)

    def of(self, provider: str) -> Door:
        return self.by_provider.setdefault(provider, Door())


async def patiently(work: Callable[[], Awaitable[T]], door: Door, patience: Patience, told: Told) -> T:
    """The result of the first try that works. told: gets a line for each failure that is tried again.

    Raises: Final, also when the budget is used up.
    """
    waited = 0.0
    for number in range(patience.tries):
        await door.passage()
        try:
            return await work()
        except Retryable as failure:
            wait = max(patience.pause(number), failure.after or 0.0)
            if number + 1 == patience.tries or waited + wait > patience.waited_s:
                asked = f", and it asks to wait {failure.after:.0f} s" if failure.after is not None else ""
                raise Final("gave_up", f"{failure}; tried {number + 1} times{asked}") from failure
            waited += wait
            await told(f"{failure}; again in {wait:.1f} s")
            await _wait(door, wait, shared=failure.shared)
    raise Final("gave_up", "no try is allowed")


async def _wait(door: Door, seconds: float, *, shared: bool) -> None:
    if shared:
        door.shut(seconds)
    else:
        await asyncio.sleep(seconds)
