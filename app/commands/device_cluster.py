"""`device-scheduler`, `device-worker`, `device-serve`: serve devices of this and other machines to campaigns."""

import os
import sys
from typing import Annotated, NoReturn

import typer

from app.settings import MissingError

PORT = 8786
DEVICE = "KERNELWRIGHT_DEVICE"


def register(app: typer.Typer) -> None:
    app.command("device-scheduler")(device_scheduler)
    app.command("device-worker")(device_worker)
    app.command("device-serve")(device_serve)


def device_scheduler(
    host: Annotated[str, typer.Option(help="address to listen on; the default is for this machine")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535)] = PORT,
) -> None:
    """Run the scheduler of a Dask cluster of devices until it is interrupted.

    Whoever can reach it may run code on its workers: use it in a network that you trust, with Dask's own TLS settings.
    """
    _become("scheduler", "--host", host, "--port", str(port), "--no-dashboard")


def device_worker(
    scheduler: Annotated[str, typer.Argument(help="address of the scheduler, e.g. tcp://HOST:8786")],
    name: Annotated[str, typer.Option(help="how the device is called; else the host's name")] = "",
    device: Annotated[
        str, typer.Option(help="a device of its own on this machine; else all share the machine's one")
    ] = "",
) -> None:
    """Serve this machine's device as a worker of a Dask cluster, one worker a device, until it is interrupted.

    A campaign uses it with --device dask:ADDRESS. The scheduler's users may run code here: use it in a network that you
    trust, with Dask's own TLS settings.
    """
    if device:
        os.environ[DEVICE] = device
    called = name or device or os.uname().nodename
    offers = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--resources", "device=1", "--name", called)
    _become("worker", scheduler, *offers)


def device_serve(
    device: Annotated[
        str, typer.Option(help="a device of its own on this machine; else all share the machine's one")
    ] = "",
) -> None:
    """Serve this machine's device over stdin and stdout, to a campaign that started this by ssh or Slurm's srun.

    The campaign names that command: --device "command:ssh HOST /path/to/run.sh device-serve".
    """
    if device:
        os.environ[DEVICE] = device
    from kernels.fleet.serve import main

    raise typer.Exit(main())


def _become(what: str, *words: str) -> NoReturn:
    """This process goes on as Dask's own program. Raises: MissingError."""
    try:
        import distributed
    except ImportError as error:
        todo = f"{sys.executable} -m pip install 'distributed>=2026.8'"
        raise MissingError(f"device-{what}: the extra `cluster` is not installed ({error}); {todo}") from error
    typer.echo(f"device-{what} {' '.join(words[:2])} (distributed {distributed.__version__})", err=True)
    os.execv(sys.executable, [sys.executable, "-m", f"distributed.cli.dask_{what}", *words])
