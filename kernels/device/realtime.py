"""Real-time scheduling of runner and referee for the length of one reading.

Without it the referee's wake-up after the reply can wait behind other work, which would be counted as kernel time. It
stays on between the calls of a reading: switched off there, other work takes whole time slices and doubles the length
of a pair (measured: 0.5 ms a switch on a loaded machine). Not permitted everywhere; every reading says whether it held.
Source: CPU_TARGET, "What to expect of such a device".
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from kernels.sandbox.runner import Runner

PAUSE_S: Final = 0.010  # stays free for all others after a reading with SCHED_FIFO


@contextmanager
def realtime(runner: Runner, wanted: bool) -> Generator[bool]:
    """Runner and referee in real time while the context lasts; yields whether it holds."""
    held = wanted and runner.realtime(True)
    try:
        yield held
    finally:
        if held:
            runner.realtime(False)
