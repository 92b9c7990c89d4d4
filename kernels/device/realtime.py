"""Real-time scheduling for one reading: the runner all along, the referee itself only while a call is in flight.

Without it the referee's wake-up after the reply can wait behind other work, which would be counted as kernel time; with
it all along, preparing calls would starve everybody else for no use. Not permitted everywhere; every reading says
whether it held. Source: CPU_TARGET, "What to expect of such a device".
"""

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from kernels.sandbox.realtime import REFEREE_PRIORITY
from kernels.sandbox.runner import Runner

PAUSE_S: Final = 0.010  # stays free for all others after a reading with SCHED_FIFO


def own(on: bool) -> bool:
    """Switch the calling thread to or from SCHED_FIFO; returns whether it is on now."""
    policy, priority = (os.SCHED_FIFO, REFEREE_PRIORITY) if on else (os.SCHED_OTHER, 0)
    try:
        os.sched_setscheduler(0, policy, os.sched_param(priority))
    except PermissionError:
        return False
    return on


@contextmanager
def realtime(runner: Runner, wanted: bool) -> Generator[bool]:
    """The runner in real time for one reading; yields whether it holds."""
    held = wanted and runner.realtime(True)
    try:
        own(False)
        yield held
    finally:
        if held:
            runner.realtime(False)
