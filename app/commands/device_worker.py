"""`device-worker`: serve this machine's device to campaigns on other hosts."""

import os
import sys
from typing import Annotated

import typer

from app.settings import MissingError


def register(app: typer.Typer) -> None:
    app.command("device-worker")(device_worker)


def device_worker(
    scheduler: Annotated[str, typer.Argument(help="address of the cluster's scheduler, e.g. tcp://HOST:8786")],
    name: Annotated[str, typer.Option(help="how the device is called; else the host's name")] = "",
    device: Annotated[
        str, typer.Option(help="a device of its own on this machine; else all share the machine's one")
    ] = "",
) -> None:
    """Serve this machine's device as a worker of a Dask cluster, one worker a device, until it is interrupted.

    A campaign uses it with --device dask:ADDRESS. TLS is set in Dask's own configuration. The scheduler's users may run
    code here: use it in a network that you trust.
    """
    try:
        import distributed
    except ImportError as error:
        todo = f"{sys.executable} -m pip install 'distributed>=2026.8'"
        raise MissingError(f"device-worker: the extra `cluster` is not installed ({error}); {todo}") from error
    if device:
        os.environ["KERNELWRIGHT_DEVICE"] = device
    called = name or os.uname().nodename
    words = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--resources", "device=1", "--name", called]
    typer.echo(f"serving {device or 'this machine'} to {scheduler} (distributed {distributed.__version__})", err=True)
    os.execv(sys.executable, [sys.executable, "-m", "distributed.cli.dask_worker", scheduler, *words])
