"""Opens the screen on this terminal."""

import os
import sys
from pathlib import Path

from app import farewell
from app.feed_bridge import Source
from app.launch import Launch
from app.memory import one_arena
from app.options import UiOptions
from app.tui import run_app


def open_screen(home: Path, launch: Launch | None, options: UiOptions) -> int:
    """The exit code; that of the engine that was started, when it could not run."""
    _force_utf8()
    one_arena()

    def make_source() -> Source:
        from app.store_source import StoreSource

        return StoreSource.opened(home, read_only=options.read_only)

    return farewell.say(home, launch, run_app(make_source, options))


def _force_utf8() -> None:
    """A terminal that is not UTF-8 would get escapes for line drawing: start again in UTF-8 mode, once."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding != "utf8" and os.environ.get("PYTHONUTF8") != "1":
        environment = {**os.environ, "PYTHONUTF8": "1"}
        os.execve(sys.executable, [sys.executable, "-m", "app", *sys.argv[1:]], environment)
