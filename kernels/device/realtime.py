"""Real-time scheduling of runner and referee for the length of one reading, both on one CPU.

Without it the referee's wake-up after the reply can wait behind other work, which would be counted as kernel time. It
stays on between the calls of a reading: switched off there, other work takes whole time slices and doubles the length
of a pair (measured: 0.5 ms a switch on a loaded machine). Not permitted everywhere; every reading says whether it held.

The referee waits on the CPU of the runner's first thread, which does nothing meanwhile: on another one, a request first
has to wake a CPU that sleeps, which takes 50 us here in place of 4.5 us, or not, as it happens.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from kernels.sandbox.starter import RunnerLike

PAUSE_S: Final = 0.010  # stays free for all others after a reading with SCHED_FIFO


@contextmanager
def realtime(runner: RunnerLike, wanted: bool) -> Generator[bool]:
    """Runner and referee in real time while the context lasts; yields whether it holds.

    No runner may be started meanwhile: it would have this CPU only.
    """
    with _beside(runner):
        held = wanted and runner.realtime(True)
        try:
            yield held
        finally:
            if held:
                runner.realtime(False)


@contextmanager
def _beside(runner: RunnerLike) -> Generator[None]:
    mine = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, os.sched_getaffinity(runner.pid) & mine or mine)
    except OSError:  # it has ended, which its next call will say
        mine = set()
    try:
        yield
    finally:
        if mine:
            os.sched_setaffinity(0, mine)
