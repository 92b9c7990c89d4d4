"""Runs the engine in this process, prints events or nothing, and the summary at the end."""

import json
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import typer

from app.begin import Job
from app.commands.options import print_json
from app.settings import MissingError
from app.text import summary_text
from app.wiring import run_blocking
from kernels.device.client import DeviceUnhealthy
from roles.bootstrap import BaselineRefused
from store import reads
from store.engine import Store
from store.lock import Owned


def run_here(job: Job, *, display: str, as_json: bool) -> int:
    """The exit code. Once there is a campaign its summary is printed, however the run ends; then the error, if any.

    Raises: MissingError when the home is owned by another process or the device cannot run, and what `begin` raises.
    """
    job.home.mkdir(parents=True, exist_ok=True)
    printer = _Printer(job.home, display)
    try:
        with missing_named(job.home):
            run_blocking(job, printer.start)
    finally:
        printer.stop()
        if printer.campaign is not None:
            _summarise(job.home, printer.campaign, display, as_json=as_json)
    return 0


@contextmanager
def missing_named(home: Path) -> Generator[None]:
    """Within: what keeps an engine from running is a piece of the environment. Raises: MissingError."""
    try:
        yield
    except Owned as owned:
        raise MissingError(
            f"the campaign in {home} is owned by pid {owned.pid} on {owned.host} since {owned.since}; "
            "watch it with `./run.sh attach`, or stop it with `./run.sh stop`"
        ) from owned
    except (DeviceUnhealthy, BaselineRefused) as failure:
        raise MissingError(str(failure)) from failure


def _summarise(home: Path, number: int, display: str, *, as_json: bool) -> None:
    """Of the display json the summary is the last line, of kind `summary`."""
    with Store.open(home) as store:
        summary = store.read_sync(lambda s: reads.summary(s, number))
    if display == "json":
        typer.echo(json.dumps({"kind": "summary", **summary}, default=str))
    elif as_json:
        print_json(summary)
    else:
        typer.echo(summary_text(summary))


class _Printer:
    """Prints events while the engine runs, for the displays plain (on stderr) and json (on stdout).

    campaign: its number once there is one.
    """

    def __init__(self, home: Path, display: str) -> None:
        self._home = home
        self._display = display
        self._thread: threading.Thread | None = None
        self.campaign: int | None = None

    def start(self, number: int) -> None:
        self.campaign = number
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
