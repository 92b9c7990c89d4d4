"""Reads a table of a TOML file key by key, and says what it asked for, what it found and what to do."""

import tomllib
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


class PackError(Exception):
    """A pack that cannot be used: what was asked, what was found, what to do."""

    def __init__(self, asked: str, found: str, todo: str) -> None:
        super().__init__(f"{asked}: {found}. {todo}")
        self.asked = asked
        self.found = found
        self.todo = todo


def read_toml(path: Path) -> dict[str, Any]:
    """Raises: PackError when the file is absent, unreadable or no TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PackError(str(path), f"cannot be read ({error.strerror})", "Create the file or fix its rights") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PackError(str(path), f"is no TOML: {error}", "Correct that line") from error


class Table:
    """One table; `take` removes a key, `done` refuses what is left over (a misspelt key is never silently ignored)."""

    def __init__(self, raw: object, where: str) -> None:
        if not isinstance(raw, dict):
            raise PackError(where, f"is {raw!r}", "Write a table here")
        self.raw: dict[str, Any] = dict(raw)
        self.where = where

    def take(self, key: str, kind: type[T], default: T | None = None) -> T:
        """The value of a key; an int does where a float is asked for.

        Raises: PackError when it is absent without a default, or of another type.
        """
        if key not in self.raw:
            if default is None:
                raise PackError(self.where, f"has no {key!r}", f"Add {key} = ... ({kind.__name__})")
            return default
        value = self.raw.pop(key)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise PackError(self.where, f"{key} is {value!r}", f"Write a {kind.__name__}")
        return value

    def maybe(self, key: str, kind: type[T]) -> T | None:
        """As `take`, None when absent."""
        return self.take(key, kind) if key in self.raw else None

    def words(self, key: str) -> tuple[str, ...]:
        """The array as words, empty when absent."""
        return tuple(str(word) for word in self.take(key, list, []))

    def tables(self, key: str) -> list["Table"]:
        """The array of tables [[key]], empty when absent."""
        found = self.take(key, list, [])
        return [Table(one, f"{self.where}, [[{key}]] {number}") for number, one in enumerate(found, 1)]

    def done(self, allowed: str = "") -> None:
        """Raises: PackError when keys are left that nobody took."""
        if self.raw:
            names = ", ".join(sorted(self.raw))
            raise PackError(
                self.where, f"unknown key {names}", f"Remove or correct it{'; ' + allowed if allowed else ''}"
            )
