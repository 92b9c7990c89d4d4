"""Column types and constraints that the tables share."""

import json
from typing import Any

from sqlalchemy import CheckConstraint, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator
from typing_extensions import override

from store.text import clean_deep


class Json(TypeDecorator[Any]):
    """A JSON value as text, cleaned at the border."""

    impl = Text
    cache_ok = True

    @override
    def process_bind_param(self, value: Any | None, dialect: Dialect) -> str:
        return json.dumps(clean_deep(value), ensure_ascii=False, separators=(",", ":"))

    @override
    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


def one_of(column: str, *values: str) -> CheckConstraint:
    """The column holds one of these words."""
    words = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({words})", name=f"{column}_known")


def check(name: str, condition: str) -> CheckConstraint:
    return CheckConstraint(condition, name=name)


def loads(text: str | None, default: Any) -> Any:
    """A JSON column that was read by SQL text."""
    return default if text is None else json.loads(text)
