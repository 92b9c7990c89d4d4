"""Devices behind a command that starts `serve` there and hands its stdin and stdout through: ssh, srun of Slurm.

The command lives as long as the link, so that a job of a batch system ends with the campaign that holds it.
"""

import asyncio
import contextlib
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, Final

from typing_extensions import override

from kernels.device.protocol import HEADER, ProtocolError, body_length, decode, encode
from kernels.device.report import DeviceUnhealthy
from kernels.fleet import session
from kernels.fleet.remote import RemoteLink, lock_of, refuse_another_kind
from kernels.fleet.serve import from_json, to_json
from kernels.fleet.shipping import Files, packed_tree
from kernels.targets.base import Target, TargetError
from kernels.values.kernel import Pack

QUEUE_S: Final = 3600.0
"""What a batch system may let a job wait for its device."""
STDERR_KEPT: Final = 2000


@dataclass(frozen=True, slots=True)
class CommandPlace:
    """words: the command and its arguments. name: the command as it was given."""

    words: tuple[str, ...]
    name: str
    target: str
    pack: Files

    @property
    def lock(self) -> Path:
        return lock_of(self.target, self.name)

    async def link(self, log: Path) -> "CommandLink":
        """log: takes what the command says on stderr. Raises: DeviceUnhealthy."""
        link = await CommandLink.spawn(self.words, self.name, log)
        await link.begin(self.target, self.pack)
        return link


async def place(words: Sequence[str], target: Target, pack: Pack, log: Path, *, number: int = 1) -> CommandPlace:
    """Asks who is there first. number: which device behind this same command it is, as each job gets one of its own.

    Raises: TargetError when nobody answers, or a device of another kind.
    """
    name = shlex.join(words) + (f" #{number}" if number > 1 else "")
    log.parent.mkdir(parents=True, exist_ok=True)
    try:
        link = await CommandLink.spawn(words, name, log)
        try:
            there = await link.ask(QUEUE_S, session.identity, target.name)
        finally:
            await link.end()
    except (OSError, DeviceUnhealthy) as error:
        todo = "It has to run ./run.sh device-serve there and hand its stdin and stdout through"
        raise TargetError(f"device {name}", f"{error}", todo) from error
    refuse_another_kind(name, there, target)
    return CommandPlace(tuple(words), name, target.name, await asyncio.to_thread(packed_tree, pack.folder))


class CommandLink(RemoteLink):
    """One running command."""

    def __init__(self, name: str, process: asyncio.subprocess.Process, log: Path) -> None:
        super().__init__(name)
        self._process = process
        self._log = log
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._calls = 0
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def spawn(cls, words: Sequence[str], name: str, log: Path) -> "CommandLink":
        """Raises: OSError when the command cannot be started."""
        with log.open("ab") as stream:
            process = await asyncio.create_subprocess_exec(
                *words, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=stream,
                start_new_session=True,
            )  # fmt: skip
        return cls(name, process, log)

    @override
    async def ask(self, timeout_s: float, work: FunctionType, *args: Any) -> Any:
        future = self._send(work, args)
        try:
            async with asyncio.timeout(timeout_s):
                return await future
        except TimeoutError as error:
            raise DeviceUnhealthy(f"device {self.name} did not answer within {timeout_s:.0f} s") from error

    def _send(self, work: FunctionType, args: Sequence[Any]) -> asyncio.Future[Any]:
        """Raises: DeviceUnhealthy when the command has ended."""
        if self._reading.done() or self._process.stdin is None:
            raise DeviceUnhealthy(self._ended())
        self._calls += 1
        future = self._waiting[self._calls] = asyncio.get_running_loop().create_future()
        self._process.stdin.write(encode({"id": self._calls, "call": work.__name__, "args": to_json(list(args))}))
        return future

    async def _read(self) -> None:
        """Answers go to whoever asked; the end of the command ends everything that waits."""
        stream = self._process.stdout
        assert stream is not None
        try:
            while True:
                header = await stream.readexactly(HEADER.size)
                self._settle(decode(await stream.readexactly(body_length(header))))
        except (asyncio.IncompleteReadError, ProtocolError, OSError):
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(DeviceUnhealthy(self._ended()))

    def _settle(self, frame: dict[str, Any]) -> None:
        future = self._waiting.pop(frame["id"], None)
        if future is None or future.done():
            return
        if "error" in frame:
            future.set_exception(DeviceUnhealthy(f"device {self.name}: {frame['error']}"))
        else:
            future.set_result(from_json(frame["result"]))

    def _ended(self) -> str:
        with contextlib.suppress(OSError):
            said = self._log.read_bytes()[-STDERR_KEPT:].decode(errors="replace").strip().rpartition("\n")[2]
            return f"device {self.name}: the command ended{f': {said}' if said else ''}"
        return f"device {self.name}: the command ended"

    @override
    def kill_there(self) -> None:
        with contextlib.suppress(DeviceUnhealthy):
            future = self._send(session.kill, (self.session,))
            future.add_done_callback(lambda done: done.cancelled() or done.exception())

    @override
    async def close(self) -> None:
        await super().close()
        await self.end()

    async def end(self) -> None:
        """The end of its stdin ends it; then it is terminated, which a batch system passes on."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(10.0):
                await self._process.wait()
        except TimeoutError:
            self._process.terminate()
            await self._process.wait()
        await asyncio.wait({self._reading})
