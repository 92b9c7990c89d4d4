"""Run in a terminal by the tests: the screen on a fake source. `busy`: something new 20 times a second.
`controlling`: the terminal becomes the controlling one, so that its end is signalled."""

import fcntl
import os
import sys
import termios
from dataclasses import replace
from pathlib import Path

from typing_extensions import override

from app.options import UiOptions
from app.screens import rates, reading
from app.tui import run_app
from store.views import OverviewView
from tests.unit.app_tui.fake_source import FakeSource


class Busy(FakeSource):
    """Every reading differs, so every tick paints."""

    count = 0

    @override
    def overview(self) -> OverviewView | None:
        view = super().overview()
        self.count += 1
        return None if view is None else replace(view, campaign=replace(view.campaign, mode=f"mode {self.count}"))


def run() -> None:
    busy = "busy" in sys.argv
    if "controlling" in sys.argv:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    if busy:
        reading.TICK_S = 0.05
        rates.WAITS = (reading.TICK_S,)
        reading.REST = 0.0
    source = Busy(live=True) if busy else FakeSource()
    ended = run_app(lambda: source, UiOptions(theme="dark", state_dir=Path(os.devnull), clock=lambda: source.now))
    sys.stdout.write(f"ended: {ended}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    run()
