"""What the compiler reads in a C text and the grammar does not: lines that go on, raw strings, digraphs, `_Pragma`.

The tree is only as good as its agreement with the compiler about where a token begins and ends. GNU C joins lines over
white space of every kind, has raw strings in which a quotation mark ends nothing, and spells # as %: and ## as %:%:.
"""

import re
from collections.abc import Iterator
from typing import Final

_SPLICE: Final = re.compile(r"\\[ \t\f\v\0]*\r?\n")
_PREFIXES: Final = frozenset({"R", "LR", "uR", "UR", "u8R"})
_RAW: Final = re.compile(r'(?<![A-Za-z0-9_$])(?:u8|[uUL])?R"')
TOKEN: Final = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_$][\w$]*|.", re.DOTALL
)
_DIGRAPH: Final = re.compile(r"^[ \t\f\v]*%:|%:%:", re.MULTILINE)
_PRAGMA: Final = re.compile(r'\b_Pragma\s*\(\s*(?:L|u8?|U)?"((?:[^"\\]|\\.)*)"')


def joined(source: str) -> str:
    """The source as the compiler sees it: a line that ends in a backslash goes on in the next, also within a word."""
    return _SPLICE.sub("", source)


def hidden(source: str) -> tuple[int, str] | None:
    """(line, what) of the first spelling that the grammar would misread; None when there is none."""
    raw = _raw_string(source)
    if raw is not None:
        return _line(source, raw), 'a raw string (R"...") hides text from the check'
    found = _DIGRAPH.search(source)
    if found is not None:
        return _line(source, found.start()), "a digraph (%: for #, %:%: for ##) hides directives from the check"
    return None


def _raw_string(source: str) -> int | None:
    """Where the first one begins: up to there tokens are what they seem to be."""
    if not _RAW.search(source):
        return None
    words = (part for part in TOKEN.finditer(source) if part[0] in _PREFIXES)
    return next((part.start() for part in words if source.startswith('"', part.end())), None)


def pragmas(source: str) -> Iterator[tuple[int, str]]:
    """(line, directive) of every `_Pragma("...")`, as the directive that it stands for."""
    for found in _PRAGMA.finditer(source):
        yield _line(source, found.start()), "#pragma " + re.sub(r"\\(.)", r"\1", found[1])


def _line(source: str, at: int) -> int:
    return source.count("\n", 0, at) + 1
