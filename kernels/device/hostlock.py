"""One holder at a time of the machine: builds, checks and readings never overlap. Keeps account of its use.

The lock is a file, so that campaigns of other homes and users on this machine wait for each other as well; the kernel
drops it with the process. A second file is the turn: whoever holds it gets the machine next, so that a campaign that
asks again at once comes after one that waits already.
"""

import asyncio
import fcntl
import os
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

POLL_S: Final = 0.004
WAITING: Final = "waiting: another campaign has the machine"


def machine_lock(device: str) -> Path:
    """The file that all users of one device of this machine lock. device: any words; they become part of its name."""
    words = "".join(c if c.isalnum() or c in "-@_." else "-" for c in device)
    return Path(tempfile.gettempdir()) / f"kernelwright-{words}.lock"


class HostLock:
    """holder: what is being done with the machine now, "" when it is free. queue: who waits for it, first come first.
    last_s: seconds of the last hold.

    spent: seconds by the first word of the holder ("build", "checking", "pair", ...), and "waiting" for campaigns of
    other processes, until now: of what goes on, too. Waiting for our own is not counted.
    """

    def __init__(self, path: Path) -> None:
        self._lock = asyncio.Lock()
        self._file = _opened(path)
        self._turn = _opened(path.with_suffix(".turn"))
        self._since = 0.0
        self.holder = ""
        self.queue: list[str] = []
        self.last_s = 0.0
        self._spent: dict[str, float] = {}

    @property
    def spent(self) -> dict[str, float]:
        found = dict(self._spent)
        if self.holder:
            _count(found, self.holder, time.monotonic() - self._since)
        return found

    async def acquire(self, holder: str) -> None:
        """Wait for the machine; a cancelled wait gives its place up."""
        self.queue.append(holder)
        try:
            await self._lock.acquire()
        finally:
            self.queue.remove(holder)
        self._since = time.monotonic()
        try:
            await self._until_held(self._turn)
            await self._until_held(self._file)
        except BaseException:
            self._end(WAITING)
            self._lock.release()
            raise
        finally:
            fcntl.flock(self._turn, fcntl.LOCK_UN)
        self._end(WAITING)
        self.holder, self._since = holder, time.monotonic()

    def _end(self, holder: str) -> None:
        """What was going on since `_since` is over and counted."""
        _count(self._spent, holder, time.monotonic() - self._since)
        self.holder = ""

    def release(self) -> None:
        self.last_s = time.monotonic() - self._since
        self._end(self.holder)
        fcntl.flock(self._file, fcntl.LOCK_UN)
        self._lock.release()

    def close(self) -> None:
        """The lock cannot be used any more."""
        os.close(self._file)
        os.close(self._turn)

    @asynccontextmanager
    async def hold(self, holder: str) -> AsyncGenerator[None]:
        await self.acquire(holder)
        try:
            yield
        finally:
            self.release()

    async def _until_held(self, descriptor: int) -> None:
        while not _try(descriptor):
            self.holder = WAITING
            await asyncio.sleep(POLL_S)


def _count(spent: dict[str, float], holder: str, seconds: float) -> None:
    word = holder.partition(" ")[0].rstrip(":")
    spent[word] = spent.get(word, 0.0) + seconds


def _try(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _opened(path: Path) -> int:
    """Another user's file is locked as well through a descriptor that only reads."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except PermissionError:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    return descriptor
