"""Reads a value out of what a command wrote: by JSON path (RFC 9535) or by a regular expression with a named group."""

import json
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Self

import jsonpath
from pydantic import BaseModel, ConfigDict, model_validator

from kernels.targets.external.kinds import below


class Unreadable(Exception):
    """What was asked of an output, and what was found there."""


class Misread(Unreadable):
    """What was asked for is there and cannot be what the target's file says: no kernel is at fault."""


def imported(name: str) -> Callable[..., Any]:
    """A function by `module:name`. Raises: ValueError when there is none."""
    module, _, function = name.partition(":")
    try:
        found: Callable[..., Any] = getattr(import_module(module), function)
    except (ImportError, AttributeError, SyntaxError, ValueError) as error:
        raise ValueError(f"parser {name!r}: {error}; give module:function of what is installed") from error
    if not callable(found):
        raise ValueError(f"parser {name!r} is no function")
    return found


def parsed(name: str, *arguments: Any) -> Any:
    """What a parser makes of an output. Raises: Unreadable as the parser says, Misread when it is itself at fault."""
    try:
        parse = imported(name)
    except ValueError as error:
        raise Misread(str(error)) from error
    try:
        return parse(*arguments)
    except ValueError as error:
        raise Unreadable(str(error)) from error
    except Exception as error:  # code of a plug-in: whatever it raises must not end the referee
        raise Misread(f"parser {name}: {type(error).__name__}: {error}") from error


class Reader(BaseModel):
    """json_path, regex or parser, one of them. A regex has a named group, of which every match counts. parser: a
    function `module:name` from the text to a list of values; it raises ValueError for a text without any. about: a
    template that it is given besides, "{entry}" for outputs about several kernels.

    file: read in place of standard output, for times and schedules; below the folder of the job. group: of the regex,
    by default its first.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    json_path: str = ""
    regex: str = ""
    parser: str = ""
    about: str = ""
    group: str = ""
    file: str = ""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if [bool(self.json_path), bool(self.regex), bool(self.parser)].count(True) != 1:
            raise ValueError("give json_path, regex or parser, one of them")
        if self.file:
            below(self.file)
        if self.parser:
            imported(self.parser)
            return self
        try:
            groups = list(re.compile(self.regex).groupindex)
            if self.json_path:
                jsonpath.compile(self.json_path)
        except (re.error, jsonpath.JSONPathError) as error:
            raise ValueError(str(error).splitlines()[0]) from error
        if self.regex and (self.group or "") not in ("", *groups):
            raise ValueError(f"the regex has no group {self.group!r}; it has {', '.join(groups) or 'none'}")
        if self.regex and not groups:
            raise ValueError("the regex needs a named group, (?P<value>...)")
        return self

    def of(self, values: Mapping[str, str]) -> "Reader":
        """With the template of `about` filled."""
        return self.model_copy(update={"about": self.about.format_map(values)}) if self.about else self

    @property
    def said(self) -> str:
        ways = {"JSON path": self.json_path, "regex": self.regex, "parser": self.parser}
        return next(f"{way} {text}" for way, text in ways.items() if text)

    def values(self, text: str, folder: Path | None = None) -> list[Any]:
        """Every value, in order. folder: of `file`. Raises: Unreadable."""
        if self.file and folder is not None:
            try:
                text = (folder / self.file).read_text(encoding="utf-8", errors="replace")
            except OSError as error:
                raise Unreadable(f"{self.file}: {error.strerror or error}") from error
        if self.parser:
            return list(parsed(self.parser, text, *([self.about] if self.about else [])))
        return self._by_path(text) if self.json_path else self._by_regex(text)

    def numbers(self, text: str, folder: Path | None = None) -> list[float]:
        """Raises: Unreadable when there is none, Misread for something that is no number."""
        found = self.values(text, folder)
        flat = [one for value in found for one in (value if isinstance(value, list) else [value])]
        try:
            numbers = [float(value) for value in flat]
        except (TypeError, ValueError, OverflowError) as error:
            raise Misread(f"{self.said}: {error}") from error
        if not numbers:
            raise Unreadable(f"{self.said}: nothing there matches")
        return numbers

    def text(self, text: str, folder: Path | None = None) -> str:
        """The first value in words. Raises: Unreadable when there is none."""
        found = self.values(text, folder)
        if not found:
            raise Unreadable(f"{self.said}: nothing there matches")
        return str(found[0])

    def _by_path(self, text: str) -> list[Any]:
        try:
            return list(jsonpath.findall(self.json_path, json.loads(text)))
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"no JSON to look for {self.json_path} in: {error}") from error

    def _by_regex(self, text: str) -> list[str]:
        pattern = re.compile(self.regex, re.MULTILINE)
        group = self.group or next(iter(pattern.groupindex))
        return [found.group(group) for found in pattern.finditer(text) if found.group(group) is not None]
