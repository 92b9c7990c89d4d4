"""What a book is made of. Pure."""

import hashlib
from dataclasses import dataclass, field
from typing import Literal

BlockKind = Literal["paragraph", "item", "quote", "header", "row", "code"]
Format = Literal["markdown", "rst", "html", "text", "notebook", "other"]


def fold(text: str) -> str:
    """The text with every run of white space as one blank."""
    return " ".join(text.split())


def digest(text: str) -> str:
    """SHA-256 of the whitespace-folded text, hex."""
    return hashlib.sha256(fold(text).encode("utf-8", "backslashreplace")).hexdigest()


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, list item, quoted note, table row or piece of code.

    source: as it stands in the file (of HTML: the visible text); plain: as a reader sees it, identifiers in backticks.
    cells: plain cells of a row; header, header_source: of its table.
    """

    kind: BlockKind
    source: str
    plain: str
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    header_source: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it up to the next heading. anchor: unique in its document; headings: titles from
    the document's first down to its own."""

    anchor: str
    title: str
    headings: tuple[str, ...]
    blocks: tuple[Block, ...]

    @property
    def text(self) -> str:
        """Its heading and blocks; a citation's span is looked up in it."""
        return "\n\n".join((self.title, *(block.source for block in self.blocks)))

    @property
    def sha256(self) -> str:
        return digest(self.text)


@dataclass(frozen=True, slots=True)
class Unread:
    """Something in a document that was not read. anchor: of its section; kind: image, include, html, directive, ..."""

    anchor: str
    kind: str
    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class Document:
    """One file as it was read."""

    sections: tuple[Section, ...]
    unread: tuple[Unread, ...] = ()


@dataclass(frozen=True, slots=True)
class FileFound:
    """One file of a book. path: relative, with slashes; reason: why it is not read, "" when it is. listed: named in the
    table of contents; None when the book has none."""

    path: str
    kind: Format
    sha256: str
    size: int
    reason: str = ""
    listed: bool | None = None


@dataclass(frozen=True, slots=True)
class Scan:
    """All files of a book by path. digest: SHA-256 over their paths and hashes. missing: chapters that the table of
    contents names and that are not there, and drafts, as (its path, what)."""

    files: tuple[FileFound, ...]
    digest: str
    missing: tuple[tuple[str, str], ...] = field(default=())
