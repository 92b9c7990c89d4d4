"""Starts the engine as a process of its own, apart from any terminal: the screen is a guest; its loss loses nothing."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.settings import Settings

LOG = "engine.log"


@dataclass(frozen=True, slots=True)
class Launch:
    """The engine that was started, or the fact that one was alive already."""

    process: "subprocess.Popen[bytes] | None"
    log: Path


def engine_is_alive(home: Path) -> bool:
    """Whether a process holds the engine's lock, told without importing the store."""
    import fcntl

    path = home / "engine.lock"
    if not path.is_file():
        return False
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        fcntl.flock(file, fcntl.LOCK_UN)
    return False


def ensure_engine(home: Path, workspace: Path, settings: Settings, flags: dict[str, Any], *, new: bool) -> Launch:
    """Attach to the live engine, or start one in a session of its own with its output in the log."""
    home.mkdir(parents=True, exist_ok=True)
    log = home / LOG
    if engine_is_alive(home):
        return Launch(None, log)
    command = [sys.executable, "-m", "app", "run", "--headless", "--home", str(home), *_flags(settings, flags)]
    if new:
        command.append("--new")
    with log.open("ab") as output:
        output.write(f"--- {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {' '.join(command[3:])}\n".encode())
        output.flush()
        process = subprocess.Popen(
            command, cwd=workspace, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            env={**os.environ},
        )  # fmt: skip
    return Launch(process, log)


def _flags(settings: Settings, flags: dict[str, Any]) -> list[str]:
    words: list[str] = []
    for name in ("pack", "target", "brain", "minutes", "candidates", "seed", "workers"):
        if name in flags:
            words += [f"--{name}", str(getattr(settings, name))]
    for kernel in settings.kernels:
        words += ["--kernel", kernel]
    return words
