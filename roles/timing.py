"""How long a kernel takes, before any test has said it."""

from typing import Final

from kernels.device.executor import Executor
from kernels.device.report import DeviceUnhealthy
from kernels.judge.redo import MOST_REDOS

FIRST_GUESS_NS: Final = 40e6
TIMING_PAIRS: Final = 2


async def first_time(device: Executor, kernel: str, key: str) -> float:
    """Nanoseconds of one call of what is loaded as `key`, the smallest of two self-pairs, not counting those that are
    to be taken again; it sets how many calls later readings take.

    Raises: DeviceUnhealthy when a reading cannot be used.
    """
    test = await device.begin_test(kernel, key, key)
    best, taken, again = FIRST_GUESS_NS, 0, MOST_REDOS
    while taken < TIMING_PAIRS:
        pair = await device.pair(test, "head", best)
        if not pair.valid and pair.redo_reason and again:
            again -= 1
            continue
        if not pair.valid:
            raise DeviceUnhealthy(f"{kernel}: no usable reading of {key[:8]}: {pair}")
        now = min(pair.head.ns, pair.candidate.ns)
        best, taken = now if taken == 0 else min(best, now), taken + 1
    await device.end_test(test)
    return best
