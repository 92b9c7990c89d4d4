"""`Device`: what the engine sees of one device. Asynchronous; nothing here blocks the event loop.

All requests go one after the other through the host lock, which builds on this machine share. A cancelled caller leaves
its request to run to the end, so that readings stay atomic; `kill_all` ends everything at once, and the next request
starts a new referee, with what was loaded before. What is to be loaded is written down before it is asked for, and a
restart is one request, so that a cancel leaves neither a runner that nobody knows of nor a key without one.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from typing_extensions import override

from kernels.device.auditing import Audit
from kernels.device.building import detached, start_under_lock
from kernels.device.hostlock import HostLock, machine_lock
from kernels.device.link import Link
from kernels.device.profiles import ProfileRequests
from kernels.device.races import RaceRequests
from kernels.device.report import (
    CheckReport,
    DeviceUnhealthy,
    HeadFailed,
    Health,
    LoadFailed,
    PeakReport,
    pair_from_json,
)
from kernels.device.trusted import Trusted, build
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import CompileFailed, Target, TargetError
from kernels.values.kernel import Pack
from kernels.values.reading import First, Pair

__all__ = [
    "CheckReport", "Device", "DeviceUnhealthy", "HeadFailed", "Health", "LoadFailed", "PeakReport", "RunnerFailed",
]  # fmt: skip

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


class Device(RaceRequests, ProfileRequests):
    """One exclusive executor of a target. What it offers for races and profiles stands in `races` and `profiles`.

    holder: what the machine is being used for now, "" when it is free. busy_seconds: time spent in readings.
    level: sandbox level that runners reached, "" before the first load.
    """

    def __init__(self, target: Target, pack: Pack, cache: Path, *, epoch_s: float, realtime: bool) -> None:
        self._target = target
        self._pack = pack
        self._cache = cache
        self._epoch_s = epoch_s
        self._realtime = realtime
        self._lock = HostLock(machine_lock(target.name))
        self._link: Link | None = None
        self._loads: dict[str, Loaded] = {}
        self._trusted: dict[str, Trusted] = {}
        self._opened: set[str] = set()
        self._unloads: set[asyncio.Task[None]] = set()
        self._killed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False
        self.busy_seconds = 0.0
        self.level = ""

    @classmethod
    async def start(
        cls, target: Target, pack: Pack, cache: Path, *, epoch_s: float = 240.0, realtime: bool = True
    ) -> Self:
        """Build the runner when it is absent, and start the referee. realtime: use SCHED_FIFO where it is permitted.

        Raises: DeviceUnhealthy.
        """
        device = cls(target, pack, cache, epoch_s=epoch_s, realtime=realtime)
        try:
            await device._under_lock("starting the referee", device._connected)
        except BaseException:
            await device.close()
            raise
        return device

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

    def _living(self) -> Link | None:
        return self._link if self._link is not None and self._link.alive else None

    async def _connected(self) -> Link:
        """The link, started again when it is gone. Held under the lock."""
        living = self._living()
        if living is not None:
            return living
        killed = self._killed
        if self._link is not None:
            await self._link.close()
        self._opened.clear()
        config = await self._config()
        self._link = link = await Link.spawn(self._cache / "referee.log")
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
            runner = await asyncio.to_thread(self._target.runner_binary)
        except (TargetError, CompileFailed, OSError) as error:
            raise DeviceUnhealthy(f"the runner cannot be built: {error}") from error
        await asyncio.to_thread(self._cache.mkdir, parents=True, exist_ok=True)
        return {
            "pack": str(self._pack.folder), "digest": self._pack.digest, "cache": str(self._cache.absolute()),
            "runner": str(runner), "threads": self._target.machine.threads, "fingerprint": self._target.fingerprint.id,
            "epoch_s": self._epoch_s, "realtime": self._realtime,
        }  # fmt: skip

    async def _open(self, link: Link, kernel: str) -> None:
        """Probes and empty kernel of this kernel, built once and loaded into each referee."""
        if kernel in self._opened:
            return
        if kernel not in self._trusted:
            folder = self._cache / "probes"
            self._trusted[kernel] = await asyncio.to_thread(build, self._target, self._pack.kernel(kernel), folder)
        await link.exchange("open", {"kernel": kernel, **self._trusted[kernel].to_json()}, TIMEOUTS["open"])
        self._opened.add(kernel)

    @override
    async def _request(self, op: str, holder: str, kernel: str = "", **args: Any) -> Any:
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
        try:
            return await link.exchange(op, args, TIMEOUTS[op])
        finally:
            if op in READINGS:
                self.busy_seconds += time.monotonic() - start

    async def load(self, kernel: str, key: str, artefact: Path) -> None:
        """Start a runner for a candidate; the same key and artefact again does nothing.

        After a cancel it may be loaded nevertheless: `unload` lets it go.
        Raises: LoadFailed (a RunnerFailed) when it cannot be loaded, DeviceUnhealthy; it is not loaded then.
        """
        await self._load(key, Loaded(kernel, artefact.absolute()), f"loading {kernel} {key[:8]}", fresh=False)

    async def _load(self, key: str, loaded: Loaded, holder: str, *, fresh: bool) -> None:
        before, self._loads[key] = self._loads.get(key), loaded
        await self._under_lock(holder, lambda: self._loading(key, loaded, before, fresh=fresh))

    async def _loading(self, key: str, loaded: Loaded, before: Loaded | None, *, fresh: bool) -> None:
        try:
            reply = await self._exchange("load", loaded.kernel, {**loaded.to_json(key), "fresh": fresh})
        except RunnerFailed as failure:
            self._replace(key, loaded, None)
            raise LoadFailed(key, failure) from failure
        except DeviceUnhealthy:
            self._replace(key, loaded, before)
            if before is not None and self._link is not None:
                self._link.kill()  # it stays loaded: the next referee has it again
            raise
        self.level = reply.get("level", self.level)

    def _replace(self, key: str, mine: Loaded, by: Loaded | None) -> None:
        """Unless the key has been unloaded or loaded anew meanwhile."""
        if self._loads.get(key) is not mine:
            return
        if by is None:
            del self._loads[key]
        else:
            self._loads[key] = by

    async def unload(self, key: str) -> None:
        """End the runner of a key; nothing happens when there is none, or when the referee went and took it along.

        It is ended when its turn has come, also when the caller is cancelled meanwhile.
        Raises: DeviceUnhealthy when the referee is there and cannot.
        """
        if self._loads.pop(key, None) is None:
            return
        task = detached(self._unloading(key))
        self._unloads.add(task)
        task.add_done_callback(self._unloads.discard)
        await self._ended_or_killed(task)
        if task.done() and not task.cancelled():
            task.result()

    async def _unloading(self, key: str) -> None:
        async with self.host(f"unloading {key[:8]}"):
            link = self._living()
            if link is None:
                return
            try:
                await link.exchange("unload", {"key": key}, TIMEOUTS["unload"])
            except DeviceUnhealthy:
                if self._living() is not None:
                    raise

    async def restart(self, key: str) -> None:
        """A fresh process and fresh memory for what is loaded; nothing happens when it is not.

        Two runners of the same code can differ by per cents for as long as they live (physical pages, above all).
        One request: a cancel comes before it or after it, and the key stays loaded. Its tests end.
        Raises: LoadFailed (a RunnerFailed that names the key, which is not loaded any more), DeviceUnhealthy (the key
        stays loaded).
        """
        loaded = self._loads.get(key)
        if loaded is not None:
            await self._load(key, loaded, f"restarting {loaded.kernel} {key[:8]}", fresh=True)

    async def check(self, kernel: str, key: str, *, promotion: bool = False, audit: Audit | None = None) -> CheckReport:
        """Gate `correct`. A fault of the candidate is a report, never an exception. audit: look further, as it says;
        what was covered stands in the report's fact "audit", with the "point" that a fold was found at.

        Raises: DeviceUnhealthy.
        """
        holder = f"{'auditing' if audit is not None else 'checking'} {kernel} {key[:8]}"
        asked = None if audit is None else audit.to_json()
        raw = await self._request("check", holder, kernel, key=key, promotion=promotion, audit=asked)
        return CheckReport.from_json(raw)

    async def begin_test(self, kernel: str, head: str, candidate: str) -> str:
        """Both must be loaded. Returns the name of the test. Raises: DeviceUnhealthy."""
        test = secrets.token_hex(8)
        holder = f"testing {kernel} {candidate[:8]}"
        await self._request("begin_test", holder, kernel, test=test, head=head, candidate=candidate)
        return test

    async def pair(self, test: str, first: First, head_ns: float) -> Pair:
        """One head and one candidate reading, atomic. head_ns sets the number of calls.

        A reading in quarantine has ns = nan, and its reason stands in the pair's environment and in `end_test`.
        Raises: RunnerFailed when the candidate's runner fails, HeadFailed when the head fails, DeviceUnhealthy.
        """
        return pair_from_json(
            await self._request("pair", f"pair of test {test[:8]}", test=test, first=first, head_ns=head_ns)
        )

    async def end_test(self, test: str) -> CheckReport:
        """Verify the secret sample of timed calls. A wrong candidate is a report.

        Raises: HeadFailed when a call of the head was wrong, DeviceUnhealthy.
        """
        report = CheckReport.from_json(await self._request("end_test", f"verifying test {test[:8]}", test=test))
        if report.facts.get("side") == "head":
            raise HeadFailed(report.kind, report.reason)
        return report

    async def peak(self, kernel: str) -> PeakReport:
        """Time to move the weights. Raises: DeviceUnhealthy."""
        return PeakReport.from_json(await self._request("peak", f"peak of {kernel}", kernel))

    async def round_trip(self, kernel: str = "") -> float:
        """ns of a call of the empty kernel, of the pack's first kernel by default. Raises: DeviceUnhealthy."""
        return float(await self._request("round_trip", "round trip", kernel or self._pack.kernels[0].name))

    async def health(self, kernel: str = "") -> Health:
        """A canary job on the ring of one kernel, one that is loaded by default. A fault is a report."""
        loaded = [one.kernel for one in self._loads.values()]
        name = kernel or (loaded[0] if loaded else min(self._pack.kernels, key=lambda k: k.bytes_moved).name)
        try:
            facts = await self._request("health", "canary", name)
        except DeviceUnhealthy as failure:
            return Health(False, str(failure), {})
        return Health(True, f"probe {facts['probe_gbs']:.1f} GB/s, round trip {facts['round_trip_ns']:.0f} ns", facts)

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
