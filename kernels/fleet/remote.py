"""A link to a referee elsewhere, whatever carries the calls: files travel once, what broke is not used again."""

import asyncio
import contextlib
import secrets
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from types import FunctionType
from typing import Any, Final

from kernels.device.hostlock import machine_lock
from kernels.device.link import result_of
from kernels.device.report import DeviceUnhealthy
from kernels.fleet import session
from kernels.fleet.shipping import Files, packed
from kernels.targets.base import Target, TargetError

GRACE_S: Final = 10.0
"""Beyond the limit that the other side keeps itself."""
START_S: Final = 30.0


class RemoteLink(ABC):
    """name: of the device. described: what the referee says of itself, once it is configured."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.session = secrets.token_hex(8)
        self.described: dict[str, Any] = {}
        self._there: set[str] = set()
        self._broken = False
        self._number = 0

    @abstractmethod
    async def ask(self, timeout_s: float, work: FunctionType, *args: Any) -> Any:
        """Run a function of `session` there. Raises: DeviceUnhealthy."""

    @abstractmethod
    def kill_there(self) -> None:
        """SIGKILL to the referee and everything below it, past whatever waits; returns before it has happened."""

    @property
    def alive(self) -> bool:
        return not self._broken

    async def begin(self, target: str, pack: Files) -> None:
        """Start the referee there. Raises: DeviceUnhealthy."""
        await self.ask(START_S, session.begin, self.session, target, pack)

    async def configure(self, config: Mapping[str, Any]) -> None:
        """Raises: DeviceUnhealthy when the referee does not come up."""
        files: Files = {}
        told = await asyncio.to_thread(packed, {**config, "pack": "", "cache": ""}, files)
        self.described = result_of(await self._sent({"op": "configure", "args": {}, **told}, files, START_S))

    async def exchange(self, op: str, args: Mapping[str, Any], timeout_s: float) -> Any:
        """Raises: RunnerFailed, HeadFailed, DeviceUnhealthy."""
        files: Files = {}
        told = await asyncio.to_thread(packed, dict(args), files)
        return result_of(await self._sent({"op": op, "args": told}, files, timeout_s))

    async def _sent(self, frame: dict[str, Any], files: Files, timeout_s: float) -> dict[str, Any]:
        if self._broken:
            raise DeviceUnhealthy(f"device {self.name}: its referee is gone")
        self._number += 1
        new = {mark: content for mark, content in files.items() if mark not in self._there}
        call = (self.session, {"id": self._number, **frame}, new, timeout_s)
        try:
            reply: dict[str, Any] = await self.ask(timeout_s + GRACE_S, session.exchange, *call)
        except BaseException:
            self.kill()
            raise
        self._there |= new.keys()
        if not reply["ok"] and reply["error"]["kind"] == session.LOST:
            self._broken = True
            reply["error"]["detail"] = f"device {self.name}: {reply['error']['detail']}"
        return reply

    def kill(self) -> None:
        """At once; returns before it has happened."""
        self._broken = True
        self.kill_there()

    async def close(self) -> None:
        """Let the referee end with its runners."""
        self._broken = True
        with contextlib.suppress(DeviceUnhealthy):
            await self.ask(GRACE_S, session.end, self.session)


def refuse_another_kind(name: str, there: Mapping[str, str], target: Target) -> None:
    """Raises: TargetError when readings there would be of another kind of device."""
    mine = target.fingerprint
    if there["fingerprint"] != mine.id:
        found = f"{there['device']} with toolchain {there['fingerprint']}; here: {mine.device}, {mine.id}"
        todo = "Readings of different devices are never pooled: give each kind a campaign of its own"
        raise TargetError(f"device {name}", found, todo)


def lock_of(target: str, name: str) -> Path:
    """The file that programs of this machine lock while they use that device."""
    return machine_lock(f"{target}@{''.join(c if c.isalnum() else '-' for c in name)}")
