"""Opens the screen on this terminal, and says what goes on after it closes."""

import os
import sys
from pathlib import Path

import typer

from app.feed_bridge import Source
from app.launch import Launch, engine_is_alive
from app.memory import one_arena
from app.options import UiOptions
from app.tui import run_app

LOG_LINES = 12


def open_screen(home: Path, launch: Launch | None, options: UiOptions) -> int:
    """The exit code; that of the engine that was started, when it could not run."""
    _force_utf8()
    one_arena()

    def make_source() -> Source:
        from app.store_source import StoreSource

        return StoreSource.opened(home, read_only=options.read_only)

    ended = run_app(make_source, options)
    code = launch.process.poll() if launch is not None and launch.process is not None else None
    if launch is not None and code not in (None, 0):
        typer.echo(f"kernelwright: the engine ended with an error; the end of {launch.log}:", err=True)
        typer.echo(_tail(launch.log), err=True)
        return code or 3
    typer.echo(_farewell(home, ended), err=ended == "lost")
    return 0


def _farewell(home: Path, ended: str) -> str:
    if ended == "stopped":
        return "the campaign ends with its final ledger; ./run.sh status shows the result"
    if engine_is_alive(home):
        return "detached: the campaign goes on; ./run.sh attach shows it again, ./run.sh stop ends it"
    return "no campaign runs now; ./run.sh status shows the last one"


def _force_utf8() -> None:
    """A terminal that is not UTF-8 would get escapes for line drawing: start again in UTF-8 mode, once."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding != "utf8" and os.environ.get("PYTHONUTF8") != "1":
        environment = {**os.environ, "PYTHONUTF8": "1"}
        os.execve(sys.executable, [sys.executable, "-m", "app", *sys.argv[1:]], environment)


def _tail(path: Path) -> str:
    return "\n".join(path.read_text(errors="replace").splitlines()[-LOG_LINES:])
