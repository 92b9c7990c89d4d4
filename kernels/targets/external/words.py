"""Templates of argument lists: `{name}` in a word stands for a value. There is no shell, so nothing needs quoting."""

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Final

LISTS: Final = ("flags",)
"""Fields that stand for any number of words, when a word is nothing else."""


class UnknownField(ValueError):
    """A field that a template may not use: what was asked, what there is."""


def check(words: Sequence[str], known: Sequence[str]) -> None:
    """Raises: UnknownField for a field that is not known here, or a brace without a partner (`{{` is a brace)."""
    for word in words:
        try:
            fields = [name for _, name, _, _ in Formatter().parse(word) if name is not None]
        except ValueError as error:
            raise UnknownField(f"word {word!r}: {error}; a brace is written twice") from error
        unknown = [name for name in fields if name not in known]
        if unknown:
            raise UnknownField(f"word {word!r}: no field {unknown[0]!r} here; known: {', '.join(sorted(known))}")


def filled(words: Sequence[str], values: Mapping[str, str | Sequence[str]]) -> list[str]:
    """One word each, but any number for a word like `{flags}`."""
    found: list[str] = []
    for word in words:
        name = word.removeprefix("{").removesuffix("}")
        value = values.get(name) if word == f"{{{name}}}" else None
        if value is not None and not isinstance(value, str):
            found += value
        else:
            found.append(word.format_map(values))
    return found
