"""Opens the screen on this terminal."""

import os
import sys
from pathlib import Path

from app.memory import one_arena
from app.options import UiOptions
from app.source import Source
from app.tui import Ended, run_app


def open_screen(home: Path, options: UiOptions) -> Ended:
    """How it ended."""
    _force_utf8()
    one_arena()

    def make_source() -> Source:
        from app.store_source import StoreSource

        return StoreSource.opened(home, read_only=options.read_only)

    return run_app(make_source, options)


def _force_utf8() -> None:
    """A terminal that is not UTF-8 would get escapes for line drawing: start again in UTF-8 mode, once."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding != "utf8" and os.environ.get("PYTHONUTF8") != "1":
        environment = {**os.environ, "PYTHONUTF8": "1"}
        os.execve(sys.executable, [sys.executable, "-m", "app", *sys.argv[1:]], environment)
