"""The screen inside of tmux: it outlives the terminal as the engine does, and a second terminal shows the same screen.

The engine is started before, outside of tmux: a server of tmux that runs already has an environment of its own.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.launch import Launch
from app.settings import MissingError, UsageError

DATABASE: Final = "kernelwright.db"
PATIENCE_S: Final = 30.0


def check() -> None:
    """Raises: MissingError without tmux; UsageError inside of it."""
    if shutil.which("tmux") is None:
        raise MissingError(
            "--tmux needs tmux, which is not installed; without it the campaign outlives the terminal, too"
        )
    if os.environ.get("TMUX", ""):
        raise UsageError("--tmux was asked for inside of tmux; leave it out: this terminal is kept already")


def session_name(home: Path, *, read_only: bool = False) -> str:
    """One session a home: `kernelwright-3fa9c1`; one of its own for who only looks, or the screen there would steer."""
    name = f"kernelwright-{hashlib.sha256(str(home.resolve()).encode()).hexdigest()[:6]}"
    return f"{name}-read-only" if read_only else name


def words(home: Path, look: Sequence[str]) -> list[str]:
    """Attaches to the session of this home, or makes it. look: options of `attach`."""
    screen = [sys.executable, "-m", "app", "attach", "--home", str(home), *look]
    return ["tmux", "new-session", "-A", "-s", session_name(home, read_only="--read-only" in look), *screen]


def show(home: Path, look: Sequence[str], launch: Launch | None) -> None:
    """Until the client is detached or the screen is left; at once when the engine could not begin."""
    if _has_store(home, launch):
        subprocess.run(words(home, look), cwd=Path(__file__).parents[1], check=False)


def _has_store(home: Path, launch: Launch | None) -> bool:
    """Waits for the engine's first start to make it."""
    deadline = time.monotonic() + PATIENCE_S
    while not (home / DATABASE).is_file() and time.monotonic() < deadline:
        if launch is None or launch.process is None or launch.process.poll() is not None:
            return False
        time.sleep(0.05)
    return True
