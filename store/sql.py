"""SQL as text, for what reads better that way: counts, groups, keyset pages."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import RowMapping, text
from sqlmodel import Session


def rows(s: Session, statement: str, **values: Any) -> Sequence[RowMapping]:
    """All rows, by column name. What the session holds is written first."""
    s.flush()
    return s.connection().execute(text(statement), values).mappings().all()


def first(s: Session, statement: str, **values: Any) -> RowMapping | None:
    s.flush()
    return s.connection().execute(text(statement), values).mappings().first()


def scalar(s: Session, statement: str, **values: Any) -> Any:
    """The first column of the first row; None when there is none."""
    s.flush()
    return s.connection().execute(text(statement), values).scalar()


def run(s: Session, statement: str, **values: Any) -> int:
    """Rows that were changed. Objects that the session holds do not see it until they are refreshed."""
    s.flush()
    return s.connection().execute(text(statement), values).rowcount


def tuples(s: Session, statement: str, **values: Any) -> list[tuple[Any, ...]]:
    """All rows as the driver gives them: several times as fast as `rows` where there are many."""
    s.flush()
    with s.connection().execute(text(statement), values) as result:
        return [] if result.cursor is None else list(result.cursor.fetchall())
