"""Text of agents, compilers and candidates made safe to draw. Pure.

Whatever could move the cursor, change a colour, join with its neighbour or take an unknown number of cells is shown as
an escape: control characters as `^[`, everything else as `<U+1F600>`. Letters of East Asian scripts stay (two cells in
every terminal); emoji, right-to-left letters and combining marks do not, as terminals disagree on them.
"""

import unicodedata
from functools import lru_cache

CELL_LIMIT = 2000
CUT = "..."
_ODD_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Mn", "Me", "Mc", "Zl", "Zp"})
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"})
_TAB = " " * 4


def clean(text: str, limit: int = CELL_LIMIT) -> str:
    """One line, printable, at most `limit` characters; a cut is marked with three dots."""
    if len(text) <= limit and text.isascii() and text.isprintable():
        return text
    return _clean(text[: limit + 1], limit)


def clean_lines(text: str, max_lines: int = 2000, limit: int = CELL_LIMIT) -> list[str]:
    """A text as clean lines; what is left out is counted in a last line."""
    lines = text[: max_lines * limit].split("\n")
    if lines and not lines[-1]:
        lines.pop()
    kept = [clean(line.removesuffix("\r"), limit) for line in lines[:max_lines]]
    left = text.count("\n") + (not text.endswith("\n")) - len(kept)
    if kept and left > 0:
        kept.append(f"[cut: {left} more lines]")
    return kept


def cells(text: str) -> int:
    """Terminal cells of a clean text."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def fit(text: str, width: int, *, right: bool = False) -> str:
    """Cleaned, then cut or filled to exactly `width` cells; a cut ends in "~"."""
    shown = clean(text)
    used = cells(shown)
    if used > width:
        shown = cut(shown, width - 1) + "~" if width > 0 else ""
        used = cells(shown)
    fill = " " * max(0, width - used)
    return fill + shown if right else shown + fill


def cut(text: str, width: int) -> str:
    """The longest start of a clean text that takes at most `width` cells."""
    if text.isascii():
        return text[: max(0, width)]
    used = 0
    for index, character in enumerate(text):
        used += _cells(character)
        if used > width:
            return text[:index]
    return text


@lru_cache(maxsize=4096)
def _cells(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


@lru_cache(maxsize=8192)
def _clean(text: str, limit: int) -> str:
    shown = "".join(map(_shown, unicodedata.normalize("NFC", text)))
    return shown if len(shown) <= limit else shown[: max(0, limit - len(CUT))] + CUT


@lru_cache(maxsize=4096)
def _shown(character: str) -> str:
    code = ord(character)
    if 0x20 <= code < 0x7F:
        return character
    if character == "\t":
        return _TAB
    if code < 0x20 or code == 0x7F:
        return f"^{chr(code ^ 0x40)}"
    return character if _drawable(character, code) else f"<U+{code:04X}>"


def _drawable(character: str, code: int) -> bool:
    category = unicodedata.category(character)
    if category in _ODD_CATEGORIES or unicodedata.bidirectional(character) in _RIGHT_TO_LEFT:
        return False
    wide = unicodedata.east_asian_width(character) in ("W", "F")
    if wide:
        return code <= 0xFFFF and category[0] in "LNP"
    return code <= 0xFFFF
