"""Opening the store, writing to it, reading from it."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from sqlmodel import Session

from store import connect, memo
from store.artefacts import Artefacts
from store.errors import StoreError
from store.filesystem import refuse_network, refuse_read_only
from store.migrate import upgrade
from store.writer import Writer

__all__ = ["DATABASE", "Session", "Store"]

T = TypeVar("T")
DATABASE = "kernelwright.db"
READERS = 4


class Store:
    """One home: the database, the artefacts beside it, one writer thread, a few readers. Made by `open`.

    Every process may open it and write; who runs campaigns is decided by `store.lock.EngineLock`.
    """

    def __init__(self, home: Path, *, read_only: bool) -> None:
        self.home = home
        self.path = home / DATABASE
        self.read_only = read_only
        self.artefacts = Artefacts(home / "artefacts")
        self._info: dict[str, Any] = {"artefacts": self.artefacts}
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="store-read")
        self._read_engine = connect.reading(self.path, connections=READERS, read_only=read_only)
        self._writer = None if read_only else Writer(connect.writing(self.path), self._info)

    @classmethod
    def open(cls, home: Path, *, read_only: bool = False) -> "Store":
        """Makes the database when there is none, and migrates an older one after a backup.

        Raises: StoreError on a network file system, a damaged file, a database of a newer version, or, when
        read_only, one that is missing or would have to be migrated.
        """
        home = home.absolute()
        refuse_network(home)
        refuse_read_only(home)
        if not read_only:
            home.mkdir(parents=True, exist_ok=True)
        upgrade(home / DATABASE, read_only=read_only)
        store = cls(home, read_only=read_only)
        if not read_only:
            store.artefacts.sweep()
        return store

    async def write(self, job: Callable[[Session], T]) -> T:
        """Run `job` in the writer thread; returns after its rows are on the disk.

        The job composes rows and events of one transaction; it must not commit, nor keep the session. An exception of
        the job takes back its own rows and is raised here. A task that is cancelled while it waits either wrote
        nothing (the job was not taken yet) or all of it.
        """
        return await asyncio.wrap_future(self._need_writer().submit(job))

    def write_sync(self, job: Callable[[Session], T]) -> T:
        """`write` for threads without an event loop."""
        writer = self._need_writer()
        if writer.is_current_thread:
            raise StoreError("write from within a write", "it would wait for itself", "Pass on the session instead")
        return writer.submit(job).result()

    async def read(self, job: Callable[[Session], T]) -> T:
        """Run `job` on a snapshot, in a thread of the store's own."""
        return await asyncio.wrap_future(self._threads.submit(lambda: self.read_sync(job)))

    def read_sync(self, job: Callable[[Session], T]) -> T:
        with Session(self._read_engine, expire_on_commit=False, info=self._info) as session:
            return job(session)

    def endure(self, *, on: bool) -> None:
        """Whether writes wait for space on a full disk, from now on; else they fail, and so do those that wait now."""
        self._need_writer().room.endure(on=on)

    def remember(self) -> None:
        """From now on figures that events tell the change of are kept between reads; see `store.memo`."""
        self._info.setdefault(memo.KEY, {})

    def waited_s(self, monotonic: float) -> float:
        """Seconds for which another process has kept the writer from its work; 0 when it works."""
        since = self._writer.waiting_since if self._writer else None
        return 0.0 if since is None else max(monotonic - since, 0.0)

    def damage(self) -> tuple[str, ...]:
        """What SQLite's quick check finds; () when the file is sound. Reads the whole file."""
        with sqlite3.connect(f"file:{self.path}?mode=ro", uri=True) as connection:
            found = tuple(str(row[0]) for row in connection.execute("PRAGMA quick_check(20)"))
        connection.close()
        return () if found == ("ok",) else found

    def close(self) -> None:
        """Commits what is queued. Doing it twice is harmless."""
        if self._writer:
            self._writer.close()
        self._threads.shutdown(wait=True)
        self._read_engine.dispose()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _need_writer(self) -> Writer:
        if self._writer is None:
            raise StoreError(f"write to {self.path}", "it was opened read-only", "Open it for writing")
        return self._writer
