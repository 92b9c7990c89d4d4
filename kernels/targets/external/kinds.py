"""Kinds of words in a target file, each refused in its place when it could not work later."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, Field


def _plain(text: str) -> str:
    if "\0" in text:
        raise ValueError("a NUL byte cannot stand in a word of a command")
    return text


def _variable(name: str) -> str:
    if not name or "=" in name:
        raise ValueError(f"{name!r} is no name of a variable")
    return _plain(name)


def below(path: str) -> str:
    """Raises: ValueError for a path that leads out of the folder that it is meant for."""
    parts = PurePosixPath(path).parts
    if not parts or PurePosixPath(path).is_absolute() or ".." in parts:
        raise ValueError(f"{path!r} must be a relative path that stays in its folder")
    return path


def _file(path: str) -> str:
    if PurePosixPath(path).suffix in ("", "."):
        raise ValueError(f"{path!r} needs a suffix, as in kernel.c")
    return below(path)


def compiled(text: str) -> "re.Pattern[str]":
    """Raises: ValueError."""
    try:
        return re.compile(text, re.MULTILINE)
    except re.error as error:
        raise ValueError(f"no regular expression: {error}") from error


def _sign(text: str) -> str:
    if compiled(text).search(""):
        raise ValueError(f"{text!r} is found in an empty output, so it would be a sign of every one")
    return text


def _with_groups(*needed: str) -> Callable[[str], str]:
    def check(text: str) -> str:
        """An empty one is none."""
        missing = [name for name in needed if text and name not in compiled(text).groupindex]
        if missing:
            raise ValueError(f"the regex needs a named group (?P<{missing[0]}>...)")
        return text

    return check


def _field(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][\w-]*", name):
        raise ValueError(f"{name!r} cannot stand between braces: letters, digits, _ and -")
    return name


Needed = Annotated[str, AfterValidator(_field)]
"""Name of a program, as templates have it."""
Word = Annotated[str, AfterValidator(_plain)]
Variable = Annotated[str, AfterValidator(_variable)]
Below = Annotated[str, AfterValidator(below)]
"""A path or pattern below a folder of the job or the build."""
MainFile = Annotated[str, AfterValidator(_file)]
SignRegex = Annotated[str, AfterValidator(_sign)]
ErrorsRegex = Annotated[str, AfterValidator(_with_groups("message"))]
SpansRegex = Annotated[str, AfterValidator(_with_groups("name", "begin", "end"))]
Told = Annotated[str, Field(min_length=1)]
States = Annotated[tuple[str, ...], Field(min_length=1)]
