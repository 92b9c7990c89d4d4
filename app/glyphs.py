"""Which characters a terminal can show, by what its environment says; and text for one that shows ASCII only. Pure."""

from collections.abc import Mapping
from typing import Final

from app.sanitise import cells

NO_BRAILLE: Final = ("linux", "vt100", "vt102", "vt220", "vt320", "cons25", "ansi")
"""Terminals whose fonts have no braille, which curves are drawn in."""
_SPELT: Final = str.maketrans({
    "│": "|", "┃": "|", "─": "-", "━": "-", "├": "+", "└": "+", "┌": "+", "┐": "+", "┘": "+", "┤": "+", "█": "#",
    "▁": "_", "·": ".", "…": ".", "×": "x", "–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"',
})  # fmt: skip


def utf8_locale(environment: Mapping[str, str]) -> bool:
    """Whether the locale of LC_ALL, LC_CTYPE or LANG, the first that is set, is UTF-8; none set: Python takes UTF-8."""
    name = next((environment[key] for key in ("LC_ALL", "LC_CTYPE", "LANG") if environment.get(key, "")), "")
    return not name or "utf8" in name.lower().replace("-", "")


def needs_ascii(environment: Mapping[str, str]) -> bool:
    """Whether lines and curves have to be drawn in ASCII."""
    return not utf8_locale(environment) or environment.get("TERM", "") in NO_BRAILLE


def to_ascii(text: str) -> str:
    """In as many cells: what has no look-alike is a question mark a cell."""
    if text.isascii():
        return text
    return "".join(c if c.isascii() else "?" * cells(c) for c in text.translate(_SPELT))
