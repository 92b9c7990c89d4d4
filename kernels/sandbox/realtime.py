"""SCHED_FIFO for the length of a reading, set from outside on every thread of the runner.

The referee goes one step higher, so that its watchdog can always preempt; RLIMIT_RTTIME is the second net. Allowed to
root and to whoever has RLIMIT_RTPRIO; where it is not, readings say so.
"""

import os
from pathlib import Path

RUNNER_PRIORITY = 10
REFEREE_PRIORITY = 20


def threads_of(pid: int) -> list[int]:
    """Thread ids as the host sees them; empty when the process is gone."""
    try:
        return [int(entry.name) for entry in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return []


def set_realtime(pid: int, on: bool) -> bool:
    """Switch all threads of a runner, and ourselves; True when FIFO holds now."""
    policy = os.SCHED_FIFO if on else os.SCHED_OTHER
    try:
        os.sched_setscheduler(0, policy, os.sched_param(REFEREE_PRIORITY if on else 0))
        for thread in threads_of(pid):
            os.sched_setscheduler(thread, policy, os.sched_param(RUNNER_PRIORITY if on else 0))
    except (PermissionError, ProcessLookupError):
        if on:
            _back_to_normal()
        return False
    return on


def _back_to_normal() -> None:
    try:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    except PermissionError:
        return
