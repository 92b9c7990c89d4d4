"""A block of text as sentences that are literal pieces of its source. Pure."""

import re
from dataclasses import dataclass
from typing import Final

HIDDEN: Final = re.compile(r"``.+?``|`[^`]*`|\[[^\]]*\]\([^)]*\)|<[^<>\s][^<>]*>|\$[^$]+\$", re.DOTALL)
SHORT_FORMS: Final = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|cf|fig|figs|sec|no|approx|resp|incl|max|min|eq|al|dr|inc)\.$", re.IGNORECASE
)
END: Final = re.compile(r"[.!?][\"')\]*_`]*(?=\s+[A-Z0-9`\[*_\"(“])")


@dataclass(frozen=True, slots=True)
class Piece:
    """start, end: of the sentence in the block's source."""

    start: int
    end: int
    source: str


def sentences(source: str) -> list[Piece]:
    """Full stops in code, addresses of links and short forms end nothing."""
    masked = HIDDEN.sub(lambda found: "x" * len(found[0]), source)
    found, start = list[Piece](), 0
    for end in END.finditer(masked):
        if not SHORT_FORMS.search(masked[: end.start() + 1]):
            found.append(_piece(source, start, end.end()))
            start = end.end()
    found.append(_piece(source, start, len(source)))
    return [piece for piece in found if piece.source]


def _piece(source: str, start: int, end: int) -> Piece:
    text = source[start:end]
    begin = start + len(text) - len(text.lstrip())
    return Piece(begin, begin + len(text.strip()), text.strip())
