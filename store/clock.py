"""The wall clock, in one place; and one that nobody sets, for spans of time."""

import time
from collections.abc import Callable


def now() -> float:
    """UTC seconds since the epoch."""
    return time.time()


def steady() -> Callable[[], float]:
    """A clock that shows UTC seconds now and goes on evenly, whatever the wall clock is set to: budgets are spans."""
    ahead = now() - time.monotonic()
    return lambda: ahead + time.monotonic()
