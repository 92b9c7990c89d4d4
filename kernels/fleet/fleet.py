"""`Fleet`: several devices of one kind as one executor. A candidate lives on one of them, its tests are pinned there.

A device that fails is given a canary; one that fails that too is left out, with the number of its last job, until a
later request succeeds. Failures in between are the device's: they bind no candidate.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Final, TypeVar

from typing_extensions import override

from kernels.device.client import Device
from kernels.device.executor import DeviceUse, Executor
from kernels.device.hostlock import HostLock, machine_lock
from kernels.device.place import Here
from kernels.device.report import DeviceUnhealthy
from kernels.fleet.member import Member
from kernels.values.kernel import Pack

SESSIONS: Final = ("test", "race")
BEGINS: Final = ("begin_test", "begin_race")
ENDS: Final = ("end_test", "end_race")
T = TypeVar("T")


class Fleet(Executor):
    """devices: at least one; all of one toolchain fingerprint. closing: what ends the way to them, after they ended."""

    def __init__(self, devices: Sequence[Device], closing: Callable[[], Awaitable[object]] | None = None) -> None:
        self.members = [Member(device) for device in devices]
        self._artefacts: dict[str, tuple[str, Path]] = {}
        self._last_hold_s = 0.0
        self._kills = 0
        self._closing = closing
        self._builder = next((device for device in devices if isinstance(device.place, Here)), None)
        self._build_lock = HostLock(machine_lock("builds"))

    @property
    @override
    def pack(self) -> Pack:
        return self.members[0].device.pack

    @property
    @override
    def level(self) -> str:
        return " / ".join(dict.fromkeys(m.device.level for m in self.members if m.device.level))

    @property
    @override
    def busy_seconds(self) -> float:
        return sum(m.device.busy_seconds for m in self.members) / len(self.members)

    @property
    @override
    def holder(self) -> str:
        return ", ".join(f"{m.name}: {m.device.holder}" for m in self.members if m.device.holder)

    @property
    @override
    def queue(self) -> tuple[str, ...]:
        return tuple(f"{m.name}: {one}" for m in self.members for one in m.device.queue)

    @property
    @override
    def last_hold_s(self) -> float:
        return self._last_hold_s

    @property
    @override
    def spent(self) -> dict[str, float]:
        total = Counter[str]()
        for member in self.members:
            total.update(member.device.spent)
        return dict(total)

    @override
    def uses(self) -> tuple[DeviceUse, ...]:
        return tuple(member.use for member in self.members)

    @override
    def loaded_kernel(self) -> str:
        return next((kernel for kernel, _ in self._artefacts.values()), "")

    @override
    def host(self, holder: str) -> AbstractAsyncContextManager[None]:
        """Builds must not overlap with readings of this machine's own device; of others they are free."""
        return self._build_lock.hold(holder) if self._builder is None else self._builder.host(holder)

    @override
    async def load(self, kernel: str, key: str, artefact: Path) -> None:
        member = self._home(key) or self._freest()
        self._artefacts[key] = (kernel, artefact)
        member.homes.add(key)
        try:
            await self._on(member, member.device.load(kernel, key, artefact))
        except BaseException:
            member.homes.discard(key)
            if self._home(key) is None:
                self._artefacts.pop(key, None)
            raise

    @override
    async def unload(self, key: str) -> None:
        self._artefacts.pop(key, None)
        there = [member for member in self.members if key in member.homes]
        for member in there:
            member.homes.discard(key)
        await asyncio.gather(*(member.device.unload(key) for member in there))

    @override
    async def restart(self, key: str) -> None:
        there = [member for member in self.members if key in member.homes]
        await asyncio.gather(*(self._on(member, member.device.restart(key)) for member in there))

    @override
    async def kill_all(self) -> None:
        self._kills += 1
        await asyncio.gather(*(member.device.kill_all() for member in self.members))

    @override
    async def close(self) -> None:
        self._kills += 1
        await asyncio.gather(*(member.device.close() for member in self.members))
        self._build_lock.close()
        if self._closing is not None:
            await self._closing()

    @override
    async def request(self, op: str, holder: str, kernel: str = "", **args: Any) -> Any:
        """Where what it speaks of lives. Raises: RunnerFailed, HeadFailed, DeviceUnhealthy."""
        member = self._for(args)
        await self._bring(member, kernel, args)
        session = next((args[word] for word in SESSIONS if word in args), "")
        if op in BEGINS:
            member.pinned.add(session)
        try:
            return await self._on(member, member.device.request(op, holder, kernel, **args))
        finally:
            if op in ENDS:
                member.pinned.discard(session)

    def _for(self, args: dict[str, Any]) -> Member:
        """Raises: DeviceUnhealthy when no device is well."""
        session = next((args[word] for word in SESSIONS if word in args), "")
        pinned = next((m for m in self.members if session and session in m.pinned), None)
        if pinned is not None:
            return pinned
        for key in self._keys(args):
            if (home := self._home(key)) is not None:
                return home
        return self._freest()

    @staticmethod
    def _keys(args: dict[str, Any]) -> list[str]:
        """What lives somewhere and is spoken of, the one that decides first."""
        return [*([args[w] for w in ("candidate", "key") if w in args]), *args.get("variants", ()),
                *([args["head"]] if "head" in args else [])]  # fmt: skip

    async def _bring(self, member: Member, kernel: str, args: dict[str, Any]) -> None:
        """A head is loaded wherever it is tested against; so is an audit's control."""
        audit = args.get("audit") or {}
        for key in (*self._keys(args), audit.get("control", "")):
            if key and key not in member.homes and key in self._artefacts:
                its_kernel, artefact = self._artefacts[key]
                member.homes.add(key)
                await self._on(member, member.device.load(its_kernel, key, artefact))

    def _home(self, key: str) -> Member | None:
        return next((m for m in self.members if key in m.homes and m.well), None)

    def _freest(self) -> Member:
        """Raises: DeviceUnhealthy when no device is well."""
        well = [m for m in self.members if m.well or m.due]
        if not well:
            told = "; ".join(f"{m.name}: unhealthy since job {m.unhealthy_since}: {m.why}" for m in self.members)
            raise DeviceUnhealthy(told)
        return min(well, key=lambda m: m.load)

    async def _on(self, member: Member, work: Awaitable[T]) -> T:
        """The result of a request; one that the device spoils is followed by a canary. Raises: what the work raises."""
        kills = self._kills
        try:
            result = await work
        except DeviceUnhealthy as failure:
            if kills == self._kills:
                await self._canary(member, str(failure))
            raise
        if not member.well:
            member.recovered()
        self._last_hold_s = member.device.last_hold_s
        return result

    async def _canary(self, member: Member, why: str) -> None:
        found = await member.device.health()
        if found.ok:
            member.recovered()
            return
        member.fell_ill(f"{why}; canary: {found.detail}")
        gone = list(member.homes)
        member.homes.clear()
        member.pinned.clear()
        await asyncio.gather(*(member.device.unload(key) for key in gone), return_exceptions=True)
