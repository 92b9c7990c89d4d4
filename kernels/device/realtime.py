"""Real-time scheduling of runner and referee for the length of one reading, both on one CPU.

Without it the referee's wake-up after the reply can wait behind other work, which would be counted as kernel time. It
stays on between the calls of a reading: switched off there, other work takes whole time slices and doubles the length
of a pair (measured: 0.5 ms a switch on a loaded machine). Not permitted everywhere; every reading says whether it held.

The referee waits on the CPU of the runner's first thread, which does nothing meanwhile: on another one, a request first
has to wake a CPU that sleeps, which takes 50 us here in place of 4.5 us, or not, as it happens.
"""

import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from kernels.sandbox.starter import RunnerLike

PAUSE_S: Final = 0.010  # stays free for all others after a reading with SCHED_FIFO
STRETCH_S: Final = 0.040  # of calls, after which a reading lets others in
BREATH_S: Final = 0.002


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


class Breath:
    """Lets others in between two calls of a long reading, which holds every CPU: helpers of a pool spin for longer than
    the referee needs between two calls. Without it the rest of the machine stands still for 150 ms at a time, and with
    it the person at the keyboard. Policies stay as they are, so the next call begins when this sleep ends.
    """

    def __init__(self) -> None:
        self._since = time.monotonic()

    def take(self) -> None:
        """Before a call. Short, and seldom enough that a lower quartile of calls does not see it."""
        if time.monotonic() - self._since > STRETCH_S:
            time.sleep(BREATH_S)
            self._since = time.monotonic()


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
