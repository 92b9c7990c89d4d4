"""Starts the engine as a process of its own, apart from any terminal: the screen is a guest; its loss loses nothing."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


def ensure_engine(
    home: Path, workspace: Path, flags: Mapping[str, Any], *, new: bool, first_minutes: float, yes: bool = False
) -> Launch:
    """Attach to the live engine, or start one in a session of its own with its output in the log.

    first_minutes: limit of the campaign, should it be a new one. yes: what models may cost was confirmed.
    """
    home.mkdir(parents=True, exist_ok=True)
    log = home / LOG
    if engine_is_alive(home):
        return Launch(None, log)
    asked = [*words(flags, new=new, first_minutes=first_minutes), *(["--yes"] if yes else [])]
    command = [sys.executable, "-m", "app", "run", "--headless", "--home", str(home), *asked]
    with log.open("ab") as output:
        output.write(f"--- {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {' '.join(command[3:])}\n".encode())
        output.flush()
        process = subprocess.Popen(
            command, cwd=workspace, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            env={**os.environ},
        )  # fmt: skip
    return Launch(process, log)


def _option(name: str, value: object) -> list[str]:
    if isinstance(value, bool):
        return [f"--{name}" if value else f"--no-{name}"]
    return [f"--{name}", str(value)]


def words(flags: Mapping[str, Any], *, new: bool, first_minutes: float) -> list[str]:
    """The command line of the engine: what a person gave, and what holds only for a new campaign.

    Environment and file are read by the engine itself.
    """
    found = ["--first-minutes", str(first_minutes)] if first_minutes else []
    for name, value in flags.items():
        if name == "kernels":
            found += [word for kernel in value for word in ("--kernel", kernel)]
        elif name == "role_brains":
            found += [
                word for role, many in value.items() for one in many for word in ("--role-brain", f"{role}={one}")
            ]
        else:
            found += _option(name.replace("_", "-"), value)
    return [*found, "--new"] if new else found
