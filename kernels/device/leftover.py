"""What a candidate still does after its last call has returned: threads, processes, CPU time. Source: CASES A13."""

import time
from typing import Final

from kernels.sandbox.runner import Runner

SETTLE_S: Final = 0.005  # helpers of the pool spin for 3 ms at most
LOOK_S: Final = 0.010
BUSY: Final = 0.2  # share of one CPU


def left_behind(runner: Runner, threads: int) -> str:
    """Why it is not at rest, "" when it is. threads: how many it had before its calls.

    Its threads are let go for the look: stopped as they are between calls, they would seem to do nothing.
    Raises: RunnerFailed.
    """
    runner.thaw()
    time.sleep(SETTLE_S)
    before = runner.census()
    if before.threads != threads or before.processes > 1:
        return f"{threads} threads before the calls, {before.threads} in {before.processes} processes after them"
    time.sleep(LOOK_S)
    used = runner.census().cpu_s - before.cpu_s
    if used > BUSY * LOOK_S:
        return f"used {1e3 * used:.0f} ms of CPU time in {1e3 * LOOK_S:.0f} ms after its last call had returned"
    return ""
