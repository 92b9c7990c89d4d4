"""Runs the engine in this process, prints events or nothing, and the summary at the end."""

import sys
import threading
from pathlib import Path
from typing import Any

import typer

from app.settings import MissingError, Settings
from app.wiring import Job, run_blocking
from roles.bootstrap import BaselineRefused
from store import campaigns, reads
from store.engine import Store
from store.lock import Owned


def run_here(
    home: Path, workspace: Path, settings: Settings, flags: dict[str, Any], *, display: str, as_json: bool, new: bool
) -> int:
    """The exit code. Raises: MissingError when the home is owned by another process or the device cannot run."""
    from kernels.device.client import DeviceUnhealthy

    home.mkdir(parents=True, exist_ok=True)
    resume = None if new else resumable(home, settings, flags)
    printer = _Printer(home, display)
    try:
        number = run_blocking(Job(settings, home, workspace, resume), printer.start)
    except Owned as owned:
        raise MissingError(
            f"the campaign in {home} is owned by pid {owned.pid} on {owned.host} since {owned.since}; "
            "watch it with `./run.sh attach`, or stop it with `./run.sh stop`"
        ) from owned
    except (DeviceUnhealthy, BaselineRefused) as failure:
        raise MissingError(str(failure)) from failure
    finally:
        printer.stop()
    with Store.open(home) as store:
        summary = store.read_sync(lambda s: reads.summary(s, number))
    if as_json:
        from app.commands.options import print_json

        print_json(summary)
    else:
        from app.text import summary_text

        typer.echo(summary_text(summary))
    return 0


def resumable(home: Path, settings: Settings, flags: dict[str, Any]) -> int | None:
    """The unfinished campaign of this home, when it is on the same pack and target."""
    with Store.open(home) as store:
        found = store.read_sync(campaigns.latest_unfinished)
    if found is None or (found.pack, found.target) != (settings.pack, settings.target):
        return None
    if "seed" in flags and found.seed != flags["seed"]:
        return None
    return found.id


class _Printer:
    """Prints events on stderr while the engine runs, for the displays plain and json."""

    def __init__(self, home: Path, display: str) -> None:
        self._home = home
        self._display = display
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, number: int) -> None:
        if self._display not in ("plain", "json"):
            return
        from app.plain import print_events

        stream = sys.stdout if self._display == "json" else sys.stderr
        self._thread = threading.Thread(
            target=print_events, args=(self._home, number, self._done, stream),
            kwargs={"as_json": self._display == "json"},
            name="plain-display", daemon=True,
        )  # fmt: skip
        self._thread.start()

    def stop(self) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join(timeout=2.0)
