"""A reading: a line through the times of three counts, of a probe whose noise is one-sided.

Other work only ever makes a call longer, so the fastest call of each count stands for it, and a count is taken for long
enough only when two calls of it say so. Three calls take at most 20 ms with SCHED_FIFO where it is permitted, and 10 ms
stay free before them.
"""

import math
import time
from typing import Final, Protocol

from kernels.values.machine import Machine
from knowledge.probes.definition import Setup
from knowledge.probes.fill import LINE
from knowledge.probes.readings import Fit, fit
from knowledge.probes.rig import ProbeFailed

AIM_NS: Final = 1.5e6
STEPS: Final = (1, 2, 3)
PAUSE_S: Final = 0.010
ATTEMPTS: Final = 6
_CALLS: Final = 2
_SHORTEST_NS: Final = 2e4
_MOST: Final = 1 << 40


class Timed(Protocol):
    """What has a name and tells ns of a call with each count, as a `Rig` does."""

    name: str

    def times(self, counts: list[int]) -> list[float]: ...


def line(one: Timed, base: int, warm: int = 0) -> Fit:
    """warm: count of a call before each three that does not count. Where time does not grow with the work, more calls
    are made, after pauses that double, and the fastest of all of them count. A base that is shorter than it looked is
    searched anew. Raises: ProbeFailed when time never grows."""
    fastest = [math.inf] * len(STEPS)
    for attempt in range(ATTEMPTS):
        counts = [base * step for step in STEPS]
        for _ in range(_CALLS):
            time.sleep(PAUSE_S * 2**attempt)
            fastest = list(map(min, fastest, one.times([warm, *counts])[1:]))
        found = fit(counts, fastest)
        if fastest[-1] < AIM_NS / 2:
            base, fastest = max(base, base_count(one, warm)), [math.inf] * len(STEPS)
        elif found.slope > 0:
            return found
    calls = ATTEMPTS * _CALLS
    raise ProbeFailed(f"{one.name}: three times as much work took no longer in {calls} calls: the machine is too busy")


def base_count(one: Timed, warm: int = 0) -> int:
    """A count that takes about AIM_NS. Raises: ProbeFailed when no count is long enough to be read."""
    count = 1
    while count < _MOST:
        ns = one.times([warm, count])[1]
        if ns > _SHORTEST_NS:
            ns = min(ns, one.times([warm, count])[1])
        if ns >= AIM_NS / 2:
            return count
        count = max(count * 2, int(count * min(AIM_NS / ns, 64.0))) if ns > _SHORTEST_NS else count * 4
    raise ProbeFailed(f"{one.name}: {count} of its operations still take no time: they are left out by the compiler")


def warm_count(setup: Setup, size: int, machine: Machine) -> int:
    """Of a call that brings an area which fits into the caches there, when the counts may be too small for it: other
    work takes the caches between two readings."""
    if setup.fill != "chase" or size > machine.llc_bytes:
        return 0
    return int(size / LINE / (setup.work or 1)) + 1
