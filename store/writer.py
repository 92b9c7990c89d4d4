"""The one thread that writes: jobs queue up and are committed in groups.

Each job runs in its own savepoint, so that one that fails takes back only its own rows. Futures resolve after the
commit: a result that has been handed out is on the disk. A group that finds the disk full is taken back and, where that
is endured, run again when there is space: a job may run more than once.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError
from sqlmodel import Session

from store.errors import StoreError, WriteCancelled
from store.space import Room

T = TypeVar("T")
Job = Callable[[Session], T]
GROUP = 500
PATIENCE_S = 120.0
log = logging.getLogger(__name__)


@dataclass(slots=True)
class Pending(Generic[T]):
    job: Job[T]
    future: "Future[T]" = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a job that ran: its value, or why it failed."""

    value: Any = None
    error: Exception | None = None


class Writer:
    """info: what every session carries in `Session.info`. room: whether a full disk is waited for."""

    def __init__(self, engine: Engine, info: dict[str, Any], *, patience_s: float = PATIENCE_S) -> None:
        self.room = Room(Path(engine.url.database or ".").parent)
        self.waiting_since: float | None = None  # monotonic; set while another process has the write lock
        self._engine = engine
        self._info = info
        self._patience_s = patience_s
        self._queue: queue.SimpleQueue[Pending[Any] | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="store-writer", daemon=True)
        self._thread.start()

    def submit(self, job: Job[T]) -> "Future[T]":
        """Raises: WriteCancelled when closed. A future that is cancelled before its job is taken writes nothing."""
        pending = Pending(job)
        with self._gate:
            if self._closed:
                raise WriteCancelled
            self._queue.put(pending)
        return pending.future

    def close(self) -> None:
        """Commits what is queued, then ends the thread."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self.room.endure(on=False)
                self._queue.put(None)
        self._thread.join()

    @property
    def is_current_thread(self) -> bool:
        return threading.current_thread() is self._thread

    def _serve(self) -> None:
        connection: Connection | None = None
        while group := self._take():
            wanted = [pending for pending in group if pending.future.set_running_or_notify_cancel()]
            try:
                connection = self._engine.connect() if connection is None else connection
            except Exception as error:  # noqa: BLE001 - handed to every caller of the group
                _fail(wanted, error)
            else:
                self._commit(connection, wanted)
        if connection is not None:
            connection.close()

    def _take(self) -> list[Pending[Any]]:
        first = self._queue.get()
        group: list[Pending[Any]] = []
        while first is not None:
            group.append(first)
            if len(group) == GROUP or self._queue.empty():
                return group
            first = self._queue.get()
        self._queue.put(None)  # the end: seen again, alone, once this group is committed
        return group

    def _commit(self, connection: Connection, group: list[Pending[Any]]) -> None:
        if not group:
            return
        try:
            results = self._run_all(connection, group)
        except Exception as error:  # noqa: BLE001 - handed to every caller of the group
            self._give_up(connection, group, error)
            return
        for pending, result in zip(group, results, strict=True):
            if result.error is None:
                pending.future.set_result(result.value)
            else:
                pending.future.set_exception(result.error)

    def _run_all(self, connection: Connection, group: list[Pending[Any]]) -> list[Done]:
        """What became of each, once all is on the disk."""
        while True:
            try:
                self._begin(connection)
                results = [self._run(connection, pending.job) for pending in group]
                connection.commit()
            except Exception as error:
                if not self.room.endures(error):
                    raise
                connection.rollback()
                self.room.wait()
            else:
                return results

    def _begin(self, connection: Connection) -> None:
        started = time.monotonic()
        self.waiting_since = started
        try:
            while True:
                try:
                    connection.begin()
                    return
                except OperationalError as error:
                    connection.rollback()
                    if not _is_busy(error) or time.monotonic() - started > self._patience_s:
                        raise _locked(error, time.monotonic() - started) from error
                    log.warning("the store waits: another process has held its write lock for a while")
        finally:
            self.waiting_since = None

    def _run(self, connection: Connection, job: Job[Any]) -> Done:
        session = Session(
            bind=connection, join_transaction_mode="create_savepoint", expire_on_commit=False, info=self._info
        )
        try:
            value = job(session)
            session.commit()
            done = Done(value)
        except Exception as error:
            _refuse_lost_transaction(connection, error)
            session.rollback()
            if self.room.endures(error):
                raise
            done = Done(error=error)
        finally:
            session.close()
        _refuse_lost_transaction(connection, None)
        return done

    @staticmethod
    def _give_up(connection: Connection, group: list[Pending[Any]], error: Exception) -> None:
        try:
            connection.rollback()
        except OperationalError:
            log.exception("the store could not roll back a failed group of writes")
            connection.invalidate()
        _fail(group, error)


def _fail(group: list[Pending[Any]], error: Exception) -> None:
    for pending in group:
        pending.future.set_exception(error)


def _refuse_lost_transaction(connection: Connection, error: Exception | None) -> None:
    """SQLite takes a whole transaction back by itself when the disk is full or fails; what follows in the group would
    then be committed piece by piece. Raises: StoreError when that has happened."""
    raw = connection.connection.dbapi_connection
    if raw is not None and getattr(raw, "in_transaction", True):
        return
    connection.rollback()
    found = str(error.__cause__ or error) if error else "SQLite took the transaction back"
    raise StoreError("write to the store", found, "Nothing of this group was written; look at the disk") from error


def _is_busy(error: OperationalError) -> bool:
    return "locked" in str(error.orig) or "busy" in str(error.orig)


def _locked(error: OperationalError, waited_s: float) -> StoreError:
    return StoreError(
        "write to the store",
        f"{error.orig} (waited {waited_s:.0f} s)",
        "End the program that holds the database open, or look at the free space of the disk",
    )
