"""What a candidate still does after its last call has returned: threads, processes, CPU time.

Seen in public: deep-reinforce.com/defense_kernel_hack.html.
"""

import time
from typing import Final

from kernels.device.contender import Contender
from kernels.sandbox.starter import RunnerLike

SETTLE_S: Final = 0.004  # helpers of the pool spin for 3 ms at most
BUSY_S: Final = 0.008  # CPU time that nobody at rest uses
LOOK_S: Final = 0.002
LONGEST_S: Final = 0.5


def left_behind(one: Contender, threads: int) -> str:
    """Why it is not at rest, "" when it is. threads: how many its process had before its calls.

    Its threads are let go for the look: stopped as they are between calls, they would seem to do nothing. On a busy
    machine it may take a while until they have had their turn and sleep, or have used too much.
    Raises: RunnerFailed when it has ended.
    """
    runner, most = one.runner, one.most_threads(threads)
    start = runner.census().cpu_s
    runner.thaw()
    try:
        return _watched(runner, threads, most, start)
    finally:
        runner.freeze()


def _watched(runner: RunnerLike, threads: int, most: int, start: float) -> str:
    until = time.monotonic() + LONGEST_S
    time.sleep(SETTLE_S)
    while True:
        now = runner.census()
        if not now.threads:
            runner.ping()
        if not threads <= now.threads <= most or now.processes > 1:
            return f"{threads} threads before the calls, {now.threads} in {now.processes} processes after them"
        if now.cpu_s - start > BUSY_S:
            return f"used {1e3 * (now.cpu_s - start):.0f} ms of CPU time after its last call had returned"
        if not now.running or time.monotonic() > until:
            return ""
        time.sleep(LOOK_S)
