"""The nearest legal form: the smallest single change of a forbidden one that compiles."""

from collections.abc import Callable, Iterator
from typing import Final

from kernels.targets.diagnosis import Edit
from knowledge.rules.reduce import edits

TRIES: Final = 60


def nearest_legal(forbidden: str, proposals: tuple[Edit, ...], compiles: Callable[[str], bool]) -> str:
    """The compiler's own proposal first, a closing brace, then whatever leaves least out; "" when nothing compiles.

    What leaves nothing but headers says nothing and does not count.
    """
    for tried, source in enumerate(_changes(forbidden, proposals)):
        if tried == TRIES:
            break
        if _says_something(source) and compiles(source):
            return source
    return ""


def _changes(source: str, proposals: tuple[Edit, ...]) -> Iterator[str]:
    proposed = apply(source, proposals)
    if proposals and proposed != source:
        yield proposed
    yield f"{source.rstrip()}\n}}\n"
    yield from sorted(dict.fromkeys(edits(source)), key=lambda s: (len(source) - len(s), s))


def _says_something(source: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#include") for line in source.splitlines())


def apply(source: str, proposals: tuple[Edit, ...]) -> str:
    """Columns count bytes from 1, as the compiler counts them."""
    lines = source.split("\n")
    for edit in sorted(proposals, key=lambda e: (e.line, e.start), reverse=True):
        if 1 <= edit.line <= len(lines):
            raw = lines[edit.line - 1].encode()
            lines[edit.line - 1] = (raw[: edit.start - 1] + edit.text.encode() + raw[edit.end - 1 :]).decode()
    return "\n".join(lines)
