"""Collects sections while a reader goes through a document."""

import re
import unicodedata
from dataclasses import dataclass, field

from knowledge.book.values import Block, Document, Section, Unread

TOP = "top"


def slug(title: str) -> str:
    """A heading's anchor as mdBook and GitHub make it: lower case, blanks as dashes, punctuation left out."""
    kept = "".join(c for c in unicodedata.normalize("NFC", title.strip().lower()) if c.isalnum() or c in " -_")
    return re.sub(r"\s", "-", kept) or "section"


@dataclass(slots=True)
class Builder:
    """Text before the first heading is a section of its own with the anchor `top`; one without text is left out."""

    anchor: str = TOP
    title: str = ""
    headings: list[tuple[int, str]] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    _used: set[str] = field(default_factory=lambda: {TOP})

    def heading(self, level: int, title: str, anchor: str = "") -> None:
        """Begin a section. level: 1 is the highest; anchor: the document's own one, "" for one of its title."""
        self._end()
        self.headings = [(own, text) for own, text in self.headings if own < level] + [(level, title)]
        self.anchor, self.title = self._unique(anchor or slug(title)), title

    def add(self, block: Block) -> None:
        if block.source.strip():
            self.blocks.append(block)

    def skip(self, kind: str, what: str, reason: str) -> None:
        self.unread.append(Unread(self.anchor, kind, what, reason))

    def done(self) -> Document:
        self._end()
        return Document(tuple(self.sections), tuple(self.unread))

    def _end(self) -> None:
        if self.blocks or self.title:
            headings = tuple(text for _, text in self.headings)
            self.sections.append(Section(self.anchor, self.title, headings, tuple(self.blocks)))
        self.blocks = []

    def _unique(self, wanted: str) -> str:
        name, count = wanted, 0
        while name in self._used:
            count += 1
            name = f"{wanted}-{count}"
        self._used.add(name)
        return name
