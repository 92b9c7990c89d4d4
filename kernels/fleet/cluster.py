"""Devices that workers of a Dask cluster serve: one worker a device, one request one task that is pinned to it.

The packages are an extra (`cluster`). TLS between hosts is Dask's own: `distributed.comm.tls` in its configuration.
Whoever may talk to the scheduler may run code on its workers, so it belongs into a network that one trusts.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kernels.device.hostlock import machine_lock
from kernels.device.link import result_of
from kernels.device.report import DeviceUnhealthy
from kernels.fleet import session
from kernels.fleet.shipping import Files, packed, packed_tree
from kernels.targets.base import Target, TargetError
from kernels.values.kernel import Pack

if TYPE_CHECKING:
    from distributed import Client

RESOURCE: Final = "device"
GRACE_S: Final = 10.0
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
    mine = target.fingerprint
    made = list[WorkerPlace]()
    for address, info in sorted(offers.items(), key=lambda item: str(item[1]["name"])):
        there = (await client.run(session.identity, target.name, workers=[address]))[address]
        if there["fingerprint"] != mine.id:
            found = f"{there['device']} with toolchain {there['fingerprint']}; here: {mine.device}, {mine.id}"
            todo = "Readings of different devices are never pooled: give each kind a campaign of its own"
            raise TargetError(f"device {info['name']} at {address}", found, todo)
        made.append(WorkerPlace(client, address, str(info["name"]), target.name, files))
    return made


@dataclass(frozen=True, slots=True)
class WorkerPlace:
    """name: the worker's."""

    client: "Client"
    address: str
    name: str
    target: str
    pack: Files

    @property
    def lock(self) -> Path:
        plain = "".join(c if c.isalnum() else "-" for c in self.name)
        return machine_lock(f"{self.target}@{plain}")

    async def link(self, log: Path) -> "WorkerLink":
        """log: not used; the referee's log stays there. Raises: DeviceUnhealthy."""
        link = WorkerLink(self.client, self.address, self.name)
        await link.task(CONNECT_S, session.begin, link.session, self.target, self.pack)
        return link


@dataclass(slots=True)
class WorkerLink:
    """A referee in a worker's process. there: marks of files that it has."""

    client: "Client"
    address: str
    name: str
    session: str = field(default_factory=lambda: secrets.token_hex(8))
    described: dict[str, Any] = field(default_factory=dict)
    there: set[str] = field(default_factory=set)
    broken: bool = False
    number: int = 0
    tasks: set["asyncio.Task[Any]"] = field(default_factory=set)

    @property
    def alive(self) -> bool:
        return not self.broken

    async def configure(self, config: Mapping[str, Any]) -> None:
        """Raises: DeviceUnhealthy when the referee does not come up."""
        files: Files = {}
        told = await asyncio.to_thread(packed, {**config, "pack": "", "cache": ""}, files)
        self.described = result_of(await self._sent({"op": "configure", "args": {}, **told}, files, 30.0))

    async def exchange(self, op: str, args: Mapping[str, Any], timeout_s: float) -> Any:
        """Raises: RunnerFailed, HeadFailed, DeviceUnhealthy; after that last one it is of no further use."""
        files: Files = {}
        told = await asyncio.to_thread(packed, dict(args), files)
        return result_of(await self._sent({"op": op, "args": told}, files, timeout_s))

    async def _sent(self, frame: dict[str, Any], files: Files, timeout_s: float) -> dict[str, Any]:
        self.number += 1
        new = {mark: content for mark, content in files.items() if mark not in self.there}
        call = (self.session, {"id": self.number, **frame}, new, timeout_s)
        try:
            reply: dict[str, Any] = await self.task(timeout_s + GRACE_S, session.exchange, *call)
        except BaseException:
            self.kill()
            raise
        self.there |= new.keys()
        if not reply["ok"] and reply["error"]["kind"] == session.NO_ANSWER and "referee" in reply["error"]["detail"]:
            self.broken = True
        return reply

    async def task(self, timeout_s: float, work: Any, *args: Any) -> Any:
        """Run a function in the worker, which is watched meanwhile. Raises: DeviceUnhealthy."""
        future = self.client.submit(
            work, *args, workers=[self.address], resources={RESOURCE: 1}, allow_other_workers=False, pure=False,
            retries=0, key=f"kernelwright-{self.name}-{secrets.token_hex(6)}",
        )  # fmt: skip
        result = asyncio.ensure_future(future.result())
        try:
            async with asyncio.timeout(timeout_s):
                while not result.done():
                    await asyncio.wait({result}, timeout=WATCH_S)
                    if not result.done() and not await self._there():
                        raise DeviceUnhealthy(f"device {self.name}: its worker {self.address} is gone")
                return result.result()
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

    async def _there(self) -> bool:
        return self.address in await workers_of(self.client)

    def kill(self) -> None:
        """SIGKILL to the referee and everything below it, past the tasks that wait; returns before it has happened."""
        self.broken = True
        self._later(self.client.run(session.kill, self.session, workers=[self.address], on_error="ignore"))

    def _later(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self._over)

    def _over(self, task: "asyncio.Task[Any]") -> None:
        self.tasks.discard(task)
        if not task.cancelled():
            task.exception()  # a worker that is gone has nothing left to kill

    async def close(self) -> None:
        """Let the referee end with its runners."""
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=GRACE_S)
        self.broken = True
        with contextlib.suppress(DeviceUnhealthy):
            await self.task(GRACE_S, session.end, self.session)
