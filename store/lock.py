"""Who owns the engine role of a home: a flock on a file beside the database. The kernel drops it with the process."""

import fcntl
import json
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from store.clock import now
from store.errors import Owned
from store.filesystem import refuse_read_only

NAME = "engine.lock"


@dataclass(frozen=True, slots=True)
class Owner:
    host: str
    pid: int
    started_at: float


class EngineLock:
    """Held from `acquire` to `release`. Its file descriptor is closed in programs that are executed, not in forks."""

    def __init__(self, path: Path, descriptor: int, owner: Owner) -> None:
        self.path = path
        self.owner = owner
        self._descriptor = descriptor

    @classmethod
    def acquire(cls, home: Path, *, patience_s: float = 0.5) -> "EngineLock":
        """Raises: Owned when another process has the role and keeps it for `patience_s`; StoreError when nothing can be
        written there."""
        refuse_read_only(home)
        home.mkdir(parents=True, exist_ok=True)
        path = home / NAME
        until = time.monotonic() + patience_s
        while (descriptor := _try_lock(path)) is None:
            if time.monotonic() >= until:
                found = _read(path)
                raise Owned(str(home), found.host, found.pid, found.started_at)
            time.sleep(0.02)
        owner = Owner(socket.gethostname(), os.getpid(), now())
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps([owner.host, owner.pid, owner.started_at]).encode(), 0)
        return cls(path, descriptor, owner)

    @staticmethod
    def holder(home: Path) -> Owner | None:
        """Who has the role now; None when nobody. Writes nothing, so that it can be asked of a home that is full."""
        path = home / NAME
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _read(path)
        finally:
            os.close(descriptor)
        return None

    def release(self) -> None:
        """Doing it twice is harmless."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> "EngineLock":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def engine_owner(home: Path) -> Owner | None:
    """Who runs campaigns in this home now; None when nobody."""
    return EngineLock.holder(home)


def _try_lock(path: Path) -> int | None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    if not path.exists() or os.fstat(descriptor).st_ino != path.stat().st_ino:
        os.close(descriptor)  # the file was replaced under us: that lock guards nothing
        return None
    return descriptor


def _read(path: Path) -> Owner:
    try:
        host, pid, started_at = json.loads(path.read_text())
    except (OSError, ValueError):
        return Owner("unknown host", 0, 0.0)
    return Owner(str(host), int(pid), float(started_at))
