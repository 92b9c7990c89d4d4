"""What is said after the screen closed: that the campaign goes on, or why it could not begin."""

from pathlib import Path

import typer

from app.launch import Launch, engine_is_alive

LOG_LINES = 12


def say(home: Path, launch: Launch | None, ended: str) -> int:
    """The exit code; that of the engine that was started, when it could not run. ended: as `tui.run_app` says."""
    code = launch.process.poll() if launch is not None and launch.process is not None else None
    if launch is not None and code not in (None, 0):
        typer.echo(f"kernelwright: the engine ended with an error; the end of {launch.log}:", err=True)
        typer.echo(_tail(launch.log), err=True)
        return code or 3
    typer.echo(_words(home, ended), err=ended == "lost")
    return 0


def _words(home: Path, ended: str) -> str:
    if ended == "stopped":
        return "the campaign ends with its final ledger; ./run.sh status shows the result"
    if engine_is_alive(home):
        return "detached: the campaign goes on; ./run.sh attach shows it again, ./run.sh stop ends it"
    return "no campaign runs now; ./run.sh status shows the last one"


def _tail(path: Path) -> str:
    return "\n".join(path.read_text(errors="replace").splitlines()[-LOG_LINES:])
