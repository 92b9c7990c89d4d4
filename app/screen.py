"""Opens the screen on this terminal, and says what goes on after it closes."""

import os
import sys
from pathlib import Path

import typer

from app.feed_bridge import Source
from app.launch import Launch, engine_is_alive
from app.options import UiOptions
from app.tui import run_app

LOG_LINES = 12


def open_screen(home: Path, launch: Launch | None, *, read_only: bool = False) -> int:
    """The exit code: 3 when the engine that was started could not run."""
    _force_utf8()

    def make_source() -> Source:
        from app.store_source import StoreSource

        return StoreSource.opened(home, read_only=read_only)

    ended = run_app(make_source, UiOptions(read_only=read_only, state_dir=home / "copied"))
    if launch is not None and launch.process is not None and launch.process.poll() not in (None, 0):
        typer.echo(f"kernelwright: the engine ended with an error; the end of {launch.log}:", err=True)
        typer.echo(_tail(launch.log), err=True)
        return 3
    if engine_is_alive(home):
        typer.echo(f"{ended}: the campaign goes on; ./run.sh attach shows it again, ./run.sh stop ends it")
    return 0


def _force_utf8() -> None:
    """A terminal that is not UTF-8 would get escapes for line drawing: start again in UTF-8 mode, once."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding != "utf8" and os.environ.get("PYTHONUTF8") != "1":
        environment = {**os.environ, "PYTHONUTF8": "1"}
        os.execve(sys.executable, [sys.executable, "-m", "app", *sys.argv[1:]], environment)


def _tail(path: Path) -> str:
    return "\n".join(path.read_text(errors="replace").splitlines()[-LOG_LINES:])
