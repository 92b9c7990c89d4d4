"""How long a kernel takes, before any test has said it."""

from typing import Final

from kernels.device.executor import Executor
from kernels.device.report import DeviceUnhealthy

FIRST_GUESS_NS: Final = 40e6
TIMING_PAIRS: Final = 2


async def first_time(device: Executor, kernel: str, key: str) -> float:
    """Nanoseconds of one call of what is loaded as `key`, the smallest of two self-pairs; it sets how many calls later
    readings take.

    Raises: DeviceUnhealthy when a reading cannot be used.
    """
    test = await device.begin_test(kernel, key, key)
    best = FIRST_GUESS_NS
    for number in range(TIMING_PAIRS):
        pair = await device.pair(test, "head", best)
        if not pair.valid:
            raise DeviceUnhealthy(f"{kernel}: no usable reading of {key[:8]}: {pair}")
        now = min(pair.head.ns, pair.candidate.ns)
        best = now if number == 0 else min(best, now)
    await device.end_test(test)
    return best
