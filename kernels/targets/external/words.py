"""Templates of argument lists: `{name}` in a word stands for a value. There is no shell, so nothing needs quoting."""

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Final

LISTS: Final = ("flags",)
"""Fields that stand for any number of words, when a word is nothing else."""


class UnknownField(ValueError):
    """A field that a template may not use: what was asked, what there is."""


def check(words: Sequence[str], known: Sequence[str], place: str = "") -> None:
    """place: where the words stand in a file, for the message.

    Raises: UnknownField for a field that is not known here, or a brace without a partner (`{{` is a brace).
    """
    at = f"{place}: " if place else ""
    for word in words:
        why = _wrong(word, known)
        if why:
            raise UnknownField(f"{at}word {word!r}: {why}")


def _wrong(word: str, known: Sequence[str]) -> str:
    """Why a word is no template; "" when it is one."""
    try:
        parts = [(name, spec, how) for _, name, spec, how in Formatter().parse(word) if name is not None]
    except ValueError as error:
        return f"{error}; a brace is written twice"
    if any(spec or how for _, spec, how in parts):
        return "a field is a name alone; a brace is written twice"
    for name, *_ in parts:
        if name not in known:
            return f"no field {name!r} here; known: {', '.join(sorted({*known}))}"
        if name in LISTS and word != f"{{{name}}}":
            return f"{{{name}}} stands for any number of words and must be a word by itself"
    return ""


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
