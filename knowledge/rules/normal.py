"""The class of a diagnostic: its message without what belongs to one source, so that equal faults are equal texts."""

import re
from typing import Final

_QUOTED: Final = re.compile(r"['‘`]([^'’`]*)['’`]")
_DOUBLE_QUOTED: Final = re.compile(r'"[^"]*"')
_DIRECTIVE: Final = re.compile(r"^#(error|warning)\b.*$")
_NUMBER: Final = re.compile(r"(?<![\w.])-?\d[\d.]*(?![\w.])")
_ADVICE: Final = re.compile(r"[;,]? ?did you mean .*$|; did you forget .*$|\s*\[-W[^\]]*\]$")
_KEPT: Final = frozenset(
    """restrict inline always_inline static register extern auto const volatile unsigned signed long short
    switch case default break continue return goto for while do if else struct union enum typedef sizeof unroll
    #pragma main f [] * & . ->""".split()
)


def normalised(message: str) -> str:
    """Names and types of the source become '_', numbers N; words of the language and of the compiler stay.

    "unknown type name 'uint32'; did you mean 'uint32_t'?" becomes "unknown type name '_'".
    """
    plain = _ADVICE.sub("", message.strip())
    plain = _DIRECTIVE.sub(r"#\1 _", plain).replace(" {aka", "{aka")
    plain = _DOUBLE_QUOTED.sub('"_"', re.sub(r"\{aka [^}]*\}", "", plain))
    plain = _QUOTED.sub(lambda found: f"'{_kept(found[1])}'", plain)
    return re.sub(r"\s+", " ", _NUMBER.sub("N", plain))


def _kept(quoted: str) -> str:
    words = quoted.split()
    known = words and all(w in _KEPT or w.startswith(("__builtin_", "#pragma")) or w in ("GCC", "ivdep") for w in words)
    return quoted if known else "_"


_OPERATORS: Final = {
    "%": " percent ", "^": " caret ", "&": " ampersand ", "|": " bar ", "<<": " left ", ">>": " right ", "+": " plus ",
    "*": " star ", "/": " slash ", "~": " tilde ", "#": " directive ", "==": " equal ",
}  # fmt: skip


def slug(text: str) -> str:
    """A name for a class: at most 48 characters of lower-case words; operators by name."""
    for sign, word in _OPERATORS.items():
        text = text.replace(sign, word)
    joined = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return joined[:48].rstrip("_") or "unnamed"
