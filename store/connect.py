"""SQLAlchemy engines for one SQLite file: durable, with foreign keys, and with transactions that we begin ourselves.

Python's sqlite3 begins transactions late and commits before some statements; so it is told to leave them alone
(isolation_level None) and BEGIN is sent explicitly. synchronous=FULL: a commit that returned survives a power cut.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, NullPool, QueuePool, create_engine, event

from store.text import clean

BUSY_MS = 30_000


def writing(path: Path, *, foreign_keys: bool = True) -> Engine:
    """For one connection that writes; every transaction takes the write lock at its beginning."""
    engine = create_engine(URL.create("sqlite", database=str(path)), poolclass=NullPool)
    pragmas = ["journal_mode=WAL", "synchronous=FULL", f"foreign_keys={'ON' if foreign_keys else 'OFF'}"]
    _prepare(engine, pragmas, "BEGIN IMMEDIATE")
    return engine


def reading(path: Path, *, connections: int, read_only: bool) -> Engine:
    """For short reads in several threads, each on a snapshot. read_only: the file is not opened for writing at all."""
    mode = "ro" if read_only else "rw"
    url = URL.create("sqlite", database=f"file:{_quote(path)}", query={"mode": mode, "uri": "true"})
    engine = create_engine(url, poolclass=QueuePool, pool_size=connections, max_overflow=4, pool_timeout=60)
    _prepare(engine, ["query_only=ON"], "BEGIN")
    return engine


def _quote(path: Path) -> str:
    text = str(path)
    for character, escape in (("%", "%25"), ("?", "%3f"), ("#", "%23")):
        text = text.replace(character, escape)
    return text


def _prepare(engine: Engine, pragmas: Sequence[str], begin: str) -> None:
    def connected(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        for pragma in (f"busy_timeout={BUSY_MS}", *pragmas):
            connection.execute(f"PRAGMA {pragma}").fetchall()

    def began(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", began)
    event.listen(engine, "before_cursor_execute", _clean_parameters, retval=True)


def _clean_parameters(
    _connection: object, _cursor: object, statement: str, parameters: Any, _context: object, many: bool
) -> tuple[str, Any]:
    if many and isinstance(parameters, list):  # several rows in one statement come as one flat tuple
        return statement, [_clean_row(row) for row in parameters]
    return statement, _clean_row(parameters)


def _clean_row(row: Any) -> Any:
    if isinstance(row, dict):
        return {name: clean(value) if isinstance(value, str) else value for name, value in row.items()}
    return tuple(clean(value) if isinstance(value, str) else value for value in row)
