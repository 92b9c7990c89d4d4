"""The engine's end of the pipes to one referee process: start, one exchange at a time, kill."""

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from kernels.device.protocol import HEADER, Frame, ProtocolError, body_length, decode, encode
from kernels.device.report import DeviceUnhealthy, HeadFailed
from kernels.sandbox.processes import descendants_of, kill
from kernels.sandbox.runner import RunnerFailed

ROOT: Final = Path(__file__).resolve().parents[2]
# A short time-out of the idle threads of OpenBLAS, so that they do not spin into the next reading.
BLAS: Final = {"OPENBLAS_THREAD_TIMEOUT": "4"}
# Freed blocks are kept for the next ones: to a capture of some megabytes, new pages cost four times the copy itself.
MALLOC: Final = {"MALLOC_MMAP_THRESHOLD_": str(32 << 20), "MALLOC_TRIM_THRESHOLD_": str(512 << 20)}
KEPT: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
CLOSE_S: Final = 5.0


def environment() -> dict[str, str]:
    """A fixed allow-list: nothing of the engine's environment can move the referee's clock or imports."""
    return {k: os.environ[k] for k in KEPT if k in os.environ} | BLAS | MALLOC | {"PYTHONPATH": str(ROOT)}


def killed_below(pid: int) -> None:
    """SIGKILL to a process and everything below it. Returns before they are reaped."""
    for one in [*descendants_of(pid), pid]:
        kill(one)


def referee_words(requests: int, replies: int) -> list[str]:
    """The command line of a referee that reads and writes these descriptors and dies with this process."""
    return [sys.executable, "-P", "-m", "kernels.device.referee", str(requests), str(replies), str(os.getpid())]


class Link:
    """One referee process. Not restarted: `client.Device` makes a new link.

    described: what the referee says of itself, once it is configured.
    """

    def __init__(
        self, process: asyncio.subprocess.Process, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer
        self._next = 0
        self._broken = False
        self.described: dict[str, Any] = {}

    @classmethod
    async def spawn(cls, log: Path) -> "Link":
        """The process with its pipes, which can be killed from now on; `configure` is its first request."""
        to_child, requests = os.pipe()
        replies, from_child = os.pipe()
        try:
            with log.open("ab") as stream:
                process = await asyncio.create_subprocess_exec(
                    *referee_words(to_child, from_child),
                    stdin=asyncio.subprocess.DEVNULL, stdout=stream, stderr=stream,
                    pass_fds=(to_child, from_child), env=environment(), cwd=log.parent, start_new_session=True,
                )  # fmt: skip
        finally:
            os.close(to_child)
            os.close(from_child)
        return cls(process, await _reader(replies), await _writer(requests))

    async def configure(self, config: Mapping[str, Any]) -> None:
        """Raises: DeviceUnhealthy when the referee does not come up."""
        self.described = await self.exchange("configure", config, 30.0)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it can still be asked. asyncio learns of a process's end some time later, so the system is asked."""
        return not self._broken and self._process.returncode is None and not _ended(self._process.pid)

    async def exchange(self, op: str, args: Mapping[str, Any], timeout_s: float) -> Any:
        """One request and its reply. A link that timed out or broke is killed and of no further use.

        Raises: RunnerFailed, HeadFailed, DeviceUnhealthy.
        """
        if not self.alive:
            raise DeviceUnhealthy(f"the referee is gone: no {op}")
        self._next += 1
        frame = {"id": self._next, "op": op, "args": dict(args)}
        try:
            async with asyncio.timeout(timeout_s):
                self._writer.write(encode(frame if op != "configure" else {**frame, **args}))
                await self._writer.drain()
                reply = await self._read()
        except TimeoutError as error:
            self.kill()
            raise DeviceUnhealthy(f"the referee did not answer {op} within {timeout_s:.0f} s") from error
        except (OSError, asyncio.IncompleteReadError, ProtocolError) as error:
            self.kill()
            raise DeviceUnhealthy(f"the referee ended during {op}") from error
        except asyncio.CancelledError:
            self.kill()  # half a reply may have been read
            raise
        return result_of(reply)

    async def _read(self) -> Frame:
        while True:
            header = await self._reader.readexactly(HEADER.size)
            frame = decode(await self._reader.readexactly(body_length(header)))
            if frame.get("id") == self._next:
                return frame

    def kill(self) -> None:
        """SIGKILL to the referee and everything below it, and an end of the exchange in flight, at once.

        Returns before they are reaped.
        """
        self._broken = True
        self._reader.set_exception(ConnectionAbortedError("the referee was killed"))
        if self._process.returncode is None:
            killed_below(self.pid)

    async def close(self) -> None:
        """End of the pipe first, which lets the referee close its runners; then SIGKILL."""
        self._broken = True
        self._writer.close()
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._process.wait()
        except TimeoutError:
            self.kill()
            await self._process.wait()


def result_of(reply: Frame) -> Any:
    """What a reply says. Raises: RunnerFailed, HeadFailed, DeviceUnhealthy."""
    if reply["ok"]:
        failed = HeadFailed.in_reply(reply["result"])
        if failed is not None:
            raise failed
        return reply["result"]
    error = reply["error"]
    if error["type"] == "runner_failed":
        raise RunnerFailed(error["kind"], error["detail"])
    raise DeviceUnhealthy(error["detail"])


async def _reader(fd: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, os.fdopen(fd, "rb", 0))
    return reader


async def _writer(fd: int) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, os.fdopen(fd, "wb", 0))
    return asyncio.StreamWriter(transport, protocol, None, loop)


def _ended(child: int) -> bool:
    """Whether a child has ended, reaped or not; it is left to its watcher."""
    try:
        return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True
