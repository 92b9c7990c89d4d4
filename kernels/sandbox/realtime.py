"""SCHED_FIFO for the length of a reading, set from outside on every thread of the runner.

The referee goes one step higher, so that its watchdog can always preempt; RLIMIT_RTTIME is the second net. Allowed to
root and to whoever has RLIMIT_RTPRIO; where it is not, readings say so.
"""

import os

from kernels.sandbox.processes import threads_of

RUNNER_PRIORITY = 10
REFEREE_PRIORITY = 20


def set_realtime(pid: int, on: bool) -> bool:
    """Switch all threads of a runner, and ourselves; True when FIFO holds now."""
    try:
        _schedule(0, REFEREE_PRIORITY if on else None)
        switched = [_schedule(thread, RUNNER_PRIORITY if on else None) for thread in threads_of(pid)]
    except PermissionError:
        if os.sched_getscheduler(0) == os.SCHED_FIFO:
            _schedule(0, None)
        return False
    return on and any(switched)


def _schedule(thread: int, priority: int | None) -> bool:
    """FIFO at a priority, or the normal policy for None; False when the thread is gone.

    Raises: PermissionError.
    """
    policy = os.SCHED_OTHER if priority is None else os.SCHED_FIFO
    try:
        os.sched_setscheduler(thread, policy, os.sched_param(priority or 0))
    except ProcessLookupError:
        return False
    return True
