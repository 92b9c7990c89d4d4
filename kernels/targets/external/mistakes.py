"""What is wrong with a target file, in words of the file: its keys and values."""

from difflib import get_close_matches
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError

MOST: Final = 4
"""Mistakes that are told at once."""
_LISTS: Final = ("tuple_type", "list_type")
_EMPTY: Final = ("too_short", "string_too_short")


def told(error: ValidationError, whole: type[BaseModel]) -> str:
    """All mistakes by their keys, those that nobody knows first: they explain what is missing. whole: of the file."""
    found = sorted(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
    lines = [_line(one, whole) for one in found[:MOST]]
    return "; ".join([*lines, *([f"{len(found) - MOST} more"] if len(found) > MOST else [])])


def _line(one: Any, whole: type[BaseModel]) -> str:
    place = ".".join(str(part) for part in one["loc"] if part != "[key]")
    said = str(one["msg"]).removeprefix("Value error, ")
    if one["type"] == "extra_forbidden":
        said = _unknown(one["loc"], whole)
    elif one["type"] in _LISTS:
        said = 'must be a list, as in ["a", "b"]'
    elif one["type"] in _EMPTY:
        said = "must not be empty"
    elif one["type"] == "missing":
        said = "is missing"
    return f"{place}: {said}" if place else said


def _unknown(loc: tuple[int | str, ...], whole: type[BaseModel]) -> str:
    table = _table_at(loc[:-1], whole)
    if table is None:
        return "no such key"
    near = get_close_matches(str(loc[-1]), table.model_fields, 1)
    if near:
        return f"no such key, perhaps {near[0]} is meant"
    return f"no such key; known: {', '.join(table.model_fields)}"


def _table_at(loc: tuple[int | str, ...], whole: type[BaseModel]) -> type[BaseModel] | None:
    """The table that keys of a place belong to."""
    table: type[BaseModel] | None = whole
    for part in loc:
        field = table.model_fields.get(str(part)) if table is not None else None
        table = _table_in(field.annotation) if field is not None else table
    return table


def _table_in(annotation: Any) -> type[BaseModel] | None:
    """The first table that a value may be, inside lists, dictionaries and unions, too."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for one in get_args(annotation) if (found := _table_in(one)) is not None), None)
