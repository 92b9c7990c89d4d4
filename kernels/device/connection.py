"""The connection of the engine to the referee of one device: started, asked behind the host lock, killed, closed.

All requests go one after the other through the host lock, which builds on this machine share. A cancelled caller leaves
its request to run to the end, so that readings stay atomic; `kill_all` ends everything at once, and the next request
starts a new referee, with what was loaded before.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from kernels.device.building import start_under_lock
from kernels.device.hostlock import HostLock
from kernels.device.place import Here, Place, RefereeLink
from kernels.device.report import DeviceUnhealthy
from kernels.device.trusted import Trusted, build
from kernels.targets.base import CompileFailed, Slow, Target, TargetError, starter_of
from kernels.values.kernel import Pack

TIMEOUTS: Final[Mapping[str, float]] = {
    "open": 60.0, "load": 60.0, "unload": 20.0, "check": 300.0, "begin_test": 20.0, "pair": 180.0, "end_test": 120.0,
    "peak": 120.0, "round_trip": 60.0, "health": 60.0, "begin_race": 20.0, "block": 600.0, "end_race": 120.0,
    "profile": 240.0,
}  # fmt: skip
READINGS: Final = ("pair", "block", "peak", "round_trip", "profile")


@dataclass(frozen=True, slots=True)
class Loaded:
    """One load, kept to be played again to a new referee."""

    kernel: str
    artefact: Path

    def to_json(self, key: str) -> dict[str, Any]:
        return {"kernel": self.kernel, "key": key, "artefact": str(self.artefact)}


class Connection:
    """The referee of one device, started again when it is gone.

    place: where it runs. jobs: requests that it was sent.
    """

    def __init__(
        self, target: Target, pack: Pack, cache: Path, *, epoch_s: float, realtime: bool, place: Place | None = None
    ) -> None:
        self._target = target
        self._pack = pack
        self._cache = cache
        self._epoch_s = epoch_s
        self._realtime = realtime
        self.place: Place = place or Here(target.name)
        self._patience = target.patience if isinstance(target, Slow) else 1.0
        self._lock = HostLock(self.place.lock)
        self._link: RefereeLink | None = None
        self._loads: dict[str, Loaded] = {}
        self._trusted: dict[str, Trusted] = {}
        self._opened: set[str] = set()
        self._unloads: set[asyncio.Task[None]] = set()
        self._killed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False
        self._busy_s = 0.0
        self._level = ""
        self.jobs = 0

    @classmethod
    async def start(
        cls, target: Target, pack: Pack, cache: Path, *, epoch_s: float = 240.0, realtime: bool = True,
        place: Place | None = None,
    ) -> Self:  # fmt: skip
        """Build the runner when it is absent, and start the referee. realtime: use SCHED_FIFO where it is permitted.

        Raises: DeviceUnhealthy.
        """
        device = cls(target, pack, cache, epoch_s=epoch_s, realtime=realtime, place=place)
        try:
            await device._under_lock("starting the referee", device._connected)
        except BaseException:
            await device.close()
            raise
        return device

    @property
    def pack(self) -> Pack:
        return self._pack

    @property
    def level(self) -> str:
        return self._level

    @property
    def busy_seconds(self) -> float:
        return self._busy_s

    def loaded_kernel(self) -> str:
        return next((one.kernel for one in self._loads.values()), "")

    @property
    def holder(self) -> str:
        return self._lock.holder

    @property
    def queue(self) -> tuple[str, ...]:
        """Who waits for the machine now, in this campaign, first come first."""
        return tuple(self._lock.queue)

    @property
    def last_hold_s(self) -> float:
        """Seconds for which the request that has just returned held the machine."""
        return self._lock.last_s

    @property
    def spent(self) -> dict[str, float]:
        """Seconds of holding the machine by the first word of the holder, since the start."""
        return dict(self._lock.spent)

    @asynccontextmanager
    async def host(self, holder: str) -> AsyncGenerator[None]:
        """Hold the machine for something that must not overlap with readings, e.g. `"build qkv"`. What goes on after
        a cancel, as threads do, needs `building.build_under_lock`."""
        async with self._lock.hold(holder):
            self._idle.clear()
            try:
                yield
            finally:
                self._idle.set()

    def _living(self) -> RefereeLink | None:
        return self._link if self._link is not None and self._link.alive else None

    async def _connected(self) -> RefereeLink:
        """The link, started again when it is gone. Held under the lock."""
        living = self._living()
        if living is not None:
            return living
        killed = self._killed
        if self._link is not None:
            await self._link.close()
        self._opened.clear()
        config = await self._config()
        self._link = link = await self.place.link(self._cache / "referee.log")
        if killed.done():
            link.kill()
        try:
            await link.configure(config)
            for key, loaded in list(self._loads.items()):
                await self._open(link, loaded.kernel)
                await link.exchange("load", {**loaded.to_json(key), "lazy": True}, TIMEOUTS["load"])
        except BaseException:
            link.kill()  # half of what was loaded is not there
            raise
        return link

    async def _config(self) -> dict[str, Any]:
        """Raises: DeviceUnhealthy when the runner cannot be built."""
        try:
            starter = await asyncio.to_thread(starter_of, self._target)
        except (TargetError, CompileFailed, OSError) as error:
            raise DeviceUnhealthy(f"the runner cannot be built: {error}") from error
        await asyncio.to_thread(self._cache.mkdir, parents=True, exist_ok=True)
        return {
            "pack": str(self._pack.folder), "digest": self._pack.digest, "cache": str(self._cache.absolute()),
            "starter": starter.to_json(), "threads": self._target.machine.threads,
            "fingerprint": self._target.fingerprint.id, "epoch_s": self._epoch_s, "realtime": self._realtime,
        }  # fmt: skip

    async def _open(self, link: RefereeLink, kernel: str) -> None:
        """Probes and empty kernel of this kernel, built once and loaded into each referee."""
        if kernel in self._opened:
            return
        if kernel not in self._trusted:
            folder = self._cache / "probes"
            self._trusted[kernel] = await asyncio.to_thread(build, self._target, self._pack.kernel(kernel), folder)
        await link.exchange("open", {"kernel": kernel, **self._trusted[kernel].to_json()}, TIMEOUTS["open"])
        self._opened.add(kernel)

    async def request(self, op: str, holder: str, kernel: str = "", **args: Any) -> Any:
        """Raises: RunnerFailed, HeadFailed, DeviceUnhealthy."""
        return await self._under_lock(holder, lambda: self._exchange(op, kernel, args))

    async def _under_lock(self, holder: str, work: Callable[[], Awaitable[Any]]) -> Any:
        """The result of what runs to its end in any case. Raises: what it raises, DeviceUnhealthy by `kill_all`."""
        task = await start_under_lock(self, holder, work)
        await self._ended_or_killed(task)
        if not task.done():
            raise DeviceUnhealthy(f"killed in {holder}")
        return task.result()

    async def _ended_or_killed(self, task: asyncio.Task[Any]) -> None:
        ends: set[asyncio.Future[Any]] = {task, self._killed}
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)

    async def _exchange(self, op: str, kernel: str, args: Mapping[str, Any]) -> Any:
        link = await self._connected()
        if kernel:
            await self._open(link, kernel)
            args = {**args, "kernel": kernel}
        start = time.monotonic()
        self.jobs += 1
        try:
            return await link.exchange(op, args, self._patience * TIMEOUTS[op])
        finally:
            if op in READINGS:
                self._busy_s += time.monotonic() - start

    async def kill_all(self) -> None:
        """SIGKILL to the referee and all runners now, whatever they do; returns before they are reaped.

        The request in flight fails at once with DeviceUnhealthy. The next one starts a new referee.
        """
        if self._link is not None:
            self._link.kill()
        killed, self._killed = self._killed, asyncio.get_running_loop().create_future()
        killed.set_result(None)

    async def close(self) -> None:
        """End the referee and its runners. A request that is still running is killed, a build is waited for."""
        if self._closed:
            return
        self._closed = True
        for task in list(self._unloads):
            task.cancel()
        if not self._idle.is_set():
            await self.kill_all()
        await self._idle.wait()
        link, self._link = self._link, None
        if link is not None:
            await link.close()
        self._lock.close()
