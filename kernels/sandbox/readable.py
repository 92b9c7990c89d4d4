"""Waiting for one file descriptor, whatever its number: `select` refuses those above 1023, which a busy engine has."""

import math
import select


def readable(descriptor: int, seconds: float) -> bool:
    """Whether it can be read, or has ended, within so long."""
    one = select.poll()
    one.register(descriptor, select.POLLIN)
    return bool(one.poll(math.ceil(1e3 * seconds)))
