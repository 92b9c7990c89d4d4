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
    """Prints events while the engine runs, for the displays plain (on stderr) and json (on stdout)."""

    def __init__(self, home: Path, display: str) -> None:
        self._home = home
        self._display = display
        self._thread: threading.Thread | None = None

    def start(self, number: int) -> None:
        if self._display in ("plain", "json"):
            self._thread = threading.Thread(target=self._print, args=(number,), name="plain-display", daemon=True)
            self._thread.start()

    def _print(self, number: int) -> None:
        from app.plain import write_all
        from app.store_source import StoreSource

        as_json = self._display == "json"
        source = StoreSource.opened(self._home, campaign=number)
        try:
            write_all(source, sys.stdout if as_json else sys.stderr, as_json=as_json)
        except BrokenPipeError:
            return
        finally:
            source.close()

    def stop(self) -> None:
        if self._thread is not None:
            self._thread.join(timeout=3.0)
