"""The wall clock, in one place."""

import time


def now() -> float:
    """UTC seconds since the epoch."""
    return time.time()
