"""Bringing a database to this version's schema: in process, in one transaction, after a backup copy."""

import contextlib
import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection

from store import connect
from store.errors import StoreError
from store.lock import EngineLock
from store.migrations import HEAD

if TYPE_CHECKING:
    from alembic.config import Config

SCRIPTS: Final = Path(__file__).parent / "migrations"
BACKUPS_KEPT: Final = 3


def upgrade(path: Path, *, read_only: bool = False, target: str = HEAD) -> None:
    """Make the database, or bring it to `target`. Does nothing when it is there already.

    Raises: StoreError when the file is damaged, not ours, newer than this version, in use by an engine of another
    version, or, when read_only, not as it has to be.
    """
    if (found := revision_of(path)) == target:
        return
    if read_only:
        raise _not_ready(path, found)
    with _alone(path.parent):
        if (found := revision_of(path)) != target:
            _refuse_live_engine(path, found)
            if not found and target == HEAD:
                _apply(path, _make_new, "nothing was made")
            else:
                by_steps(path, target, _back_up(path, found) if found else None)


def revision_of(path: Path) -> str:
    """The schema revision of the file; "" when there is no database yet.

    Raises: StoreError when it is not a database, or one of something else.
    """
    if not path.exists() or path.stat().st_size == 0:
        return ""
    connection = sqlite3.connect(path, timeout=connect.BUSY_MS / 1000)
    try:
        names = {str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "alembic_version" in names:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            return str(row[0]) if row else ""
    except sqlite3.DatabaseError as error:
        raise StoreError(f"open {path}", f"SQLite says: {error}", "Keep the file, and restore a backup") from error
    finally:
        connection.close()
    if names:
        raise StoreError(f"open {path}", "it is a database of another program", "Choose another --home")
    return ""


def configuration(connection: Connection | None = None) -> "Config":
    """Alembic's configuration, without a file."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def by_steps(path: Path, target: str = HEAD, backup: Path | None = None) -> None:
    """Migration by migration. backup: the copy that was made of the file before. Raises: StoreError."""
    from alembic import command
    from alembic.util import CommandError

    def steps(connection: Connection) -> None:
        try:
            command.upgrade(configuration(connection), target)
        except CommandError as error:
            found = f"it was made by another version ({error})"
            raise StoreError(f"open {path}", found, "Use that version, or another --home") from error
        _refuse_broken_links(connection)

    _apply(path, steps, f"the database is as it was; a copy is {backup}" if backup else "nothing was made")


def _make_new(connection: Connection) -> None:
    from store.migrations.whole import statements

    for statement in statements():
        connection.exec_driver_sql(statement)


def _apply(path: Path, job: Callable[[Connection], None], kept: str) -> None:
    """In one transaction. kept: what is left when it fails."""
    engine = connect.writing(path, foreign_keys=False)
    try:
        with engine.begin() as connection:
            job(connection)
    except StoreError:
        raise
    except Exception as error:
        raise StoreError(f"migrate {path}", f"{type(error).__name__}: {error}", f"Report this; {kept}") from error
    finally:
        engine.dispose()


def _refuse_broken_links(connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(5)
    if broken:
        raise ValueError(f"rows would point to nothing: {[tuple(row) for row in broken]}")


def _refuse_live_engine(path: Path, found: str) -> None:
    owner = EngineLock.holder(path.parent) if found else None
    if owner and owner.pid != os.getpid():
        raise StoreError(
            f"migrate {path}",
            f"an engine of another version runs (process {owner.pid} on {owner.host})",
            "Stop it first, or look with attach --read-only",
        )


def _back_up(path: Path, found: str) -> Path:
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime())
    copy = path.with_name(f"{path.name}.before-{HEAD}.{found}.{stamp}")
    source, target = sqlite3.connect(path), sqlite3.connect(copy)
    try:
        source.backup(target)
    finally:
        target.close()
        source.close()
    for old in sorted(path.parent.glob(f"{path.name}.before-*"), key=lambda file: file.stat().st_mtime)[:-BACKUPS_KEPT]:
        old.unlink()
    return copy


def _not_ready(path: Path, found: str) -> StoreError:
    if not found:
        return StoreError(f"read {path}", "there is no database yet", "Start Kernelwright on this home once")
    state = f"its schema is {found}, this version reads {HEAD}"
    return StoreError(f"read {path}", state, "Look at it with attach --read-only, or start Kernelwright on it once")


@contextlib.contextmanager
def _alone(home: Path) -> Generator[None]:
    """One process migrates, the others wait for it."""
    descriptor = os.open(home / "migrate.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
