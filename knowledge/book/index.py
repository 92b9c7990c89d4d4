"""All sections of one release, to look up citations in. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from knowledge.book.formats import plain
from knowledge.book.values import Section, fold
from knowledge.citations import Citation
from knowledge.sentences import sentences


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or a row of a table. source: as it stands in its document; plain: as a reader sees it."""

    document: str
    anchor: str
    source: str
    plain: str


@dataclass(frozen=True)
class Placed:
    """A section with the path and format of its document."""

    document: str
    kind: str
    section: Section

    @cached_property
    def folded(self) -> str:
        return fold(self.section.text)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        return tuple(self._statements())

    def plain(self, source: str) -> str:
        return plain(self.kind, source)

    def _statements(self) -> Iterator[Statement]:
        for block in self.section.blocks:
            if block.kind in ("row", "header"):
                yield Statement(self.document, self.section.anchor, block.source, block.plain)
            elif block.kind != "code":
                for piece in sentences(block.source):
                    yield Statement(self.document, self.section.anchor, piece.source, self.plain(piece.source))


class BookIndex:
    """Sections by document and anchor, in the book's order."""

    def __init__(self, placed: Iterable[Placed]) -> None:
        self.placed = tuple(placed)
        self._by_place = {(one.document, one.section.anchor): one for one in self.placed}

    def find(self, document: str, anchor: str) -> Placed | None:
        return self._by_place.get((document, anchor))

    def of(self, citation: Citation) -> Placed | None:
        return self.find(citation.document, citation.anchor)

    def holding(self, span: str) -> list[Placed]:
        """Every section in which the span stands, white space folded."""
        folded = fold(span)
        return [one for one in self.placed if folded and folded in one.folded]

    def places(self) -> frozenset[tuple[str, str]]:
        return frozenset(self._by_place)
