"""Devices that workers of a Dask cluster serve: one worker a device, one request one task that is pinned to it.

The packages are an extra (`cluster`). TLS between hosts is Dask's own: `distributed.comm.tls` in its configuration.
Whoever may talk to the scheduler may run code on its workers, so it belongs into a network that one trusts.
"""

import asyncio
import contextlib
import secrets
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from kernels.device.report import DeviceUnhealthy
from kernels.fleet import session
from kernels.fleet.remote import GRACE_S, RemoteLink, lock_of, refuse_another_kind
from kernels.fleet.shipping import Files, packed_tree
from kernels.targets.base import Target, TargetError
from kernels.values.kernel import Pack

if TYPE_CHECKING:
    from distributed import Client

RESOURCE: Final = "device"
WATCH_S: Final = 1.0
CONNECT_S: Final = 20.0
TODO: Final = "Start a worker there with: ./run.sh device-worker ADDRESS"


async def connect(address: str) -> "Client":
    """Raises: TargetError without the packages, or when no scheduler answers."""
    try:
        from distributed import Client
    except ImportError as error:
        todo = "Install them into the environment: .venv/bin/pip install 'distributed>=2026.8'"
        raise TargetError(
            f"devices at {address}", f"the packages of the extra `cluster` are missing ({error})", todo
        ) from error
    try:
        client = Client(address, asynchronous=True, timeout=CONNECT_S, set_as_default=False, name="kernelwright")
        await client
    except (OSError, TimeoutError, ValueError) as error:
        todo = "Start one with: ./run.sh device-scheduler"
        raise TargetError(f"devices at {address}", f"no scheduler answers there ({error})", todo) from error
    return client


async def workers_of(client: "Client") -> dict[str, Any]:
    """What the scheduler says of each worker, by address."""
    scheduler = client.scheduler
    found = {} if scheduler is None else await scheduler.identity()
    return dict(found.get("workers", {}))


async def places(client: "Client", target: Target, pack: Pack) -> "list[WorkerPlace]":
    """One a worker that offers the resource `device`. Raises: TargetError: there is none, or one is of another kind."""
    workers = await workers_of(client)
    offers = {address: info for address, info in workers.items() if info["resources"].get(RESOURCE)}
    if not offers:
        found = f"{len(workers)} workers, none with a device"
        raise TargetError("devices of the cluster", found, TODO)
    files = await asyncio.to_thread(packed_tree, pack.folder)
    made = list[WorkerPlace]()
    for address, info in sorted(offers.items(), key=lambda item: str(item[1]["name"])):
        there = (await client.run(session.identity, target.name, workers=[address]))[address]
        refuse_another_kind(f"{info['name']} at {address}", there, target)
        made.append(WorkerPlace(client, address, str(info["name"]), target.name, files))
    return made


@dataclass(frozen=True, slots=True)
class WorkerPlace:
    """name: the worker's. pack: the pack's files."""

    client: "Client"
    address: str
    name: str
    target: str
    pack: Files

    @property
    def lock(self) -> Path:
        return lock_of(self.target, self.name)

    async def link(self, log: Path) -> "WorkerLink":
        """log: not used; the referee's log stays there. Raises: DeviceUnhealthy."""
        link = WorkerLink(self.client, self.address, self.name)
        await link.begin(self.target, self.pack)
        return link


class WorkerLink(RemoteLink):
    """A referee in a worker's process."""

    def __init__(self, client: "Client", address: str, name: str) -> None:
        super().__init__(name)
        self._client = client
        self._address = address
        self._kills: set[asyncio.Task[Any]] = set()

    @override
    async def ask(self, timeout_s: float, work: FunctionType, *args: Any) -> Any:
        """As a task of that worker, which is watched meanwhile."""
        future = self._client.submit(
            work, *args, workers=[self._address], resources={RESOURCE: 1}, allow_other_workers=False, pure=False,
            retries=0, key=f"kernelwright-{self.name}-{secrets.token_hex(6)}",
        )  # fmt: skip
        result = asyncio.ensure_future(future.result())
        try:
            async with asyncio.timeout(timeout_s):
                return await self._watched(result)
        except TimeoutError as error:
            raise DeviceUnhealthy(f"device {self.name} did not answer within {timeout_s:.0f} s") from error
        except (OSError, RuntimeError, asyncio.CancelledError) as error:
            if isinstance(error, asyncio.CancelledError) and not result.cancelled():
                raise
            raise DeviceUnhealthy(f"device {self.name}: {type(error).__name__} {error}") from error
        finally:
            if not result.done():
                result.cancel()
                with contextlib.suppress(OSError):
                    await future.cancel()

    async def _watched(self, result: asyncio.Future[Any]) -> Any:
        while not result.done():
            await asyncio.wait({result}, timeout=WATCH_S)
            if not result.done() and self._address not in await workers_of(self._client):
                raise DeviceUnhealthy(f"device {self.name}: its worker {self._address} is gone")
        return result.result()

    @override
    def kill_there(self) -> None:
        kill = self._client.run(session.kill, self.session, workers=[self._address], on_error="ignore")
        task = asyncio.ensure_future(kill)
        self._kills.add(task)
        task.add_done_callback(self._killed)

    def _killed(self, task: asyncio.Task[Any]) -> None:
        self._kills.discard(task)
        if not task.cancelled():
            task.exception()  # a worker that is gone has nothing left to kill

    @override
    async def close(self) -> None:
        if self._address not in await workers_of(self._client):
            self._broken = True
            for kill in self._kills:
                kill.cancel()
            return
        if self._kills:
            await asyncio.wait(self._kills, timeout=GRACE_S)
        await super().close()
