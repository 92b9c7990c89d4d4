"""Documentation of a target: releases of a book, its files, sections, what was not read."""

from typing import Any

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from store.columns import Json, check, one_of
from store.tables.base import BOOK_DOCUMENT, BOOK_RELEASE, BOOK_STATES, DOCUMENT_STATES


class BookReleaseRow(SQLModel, table=True):
    """One release of a book: the content of all its files. digest: SHA-256 over paths and hashes of the files.
    previous_id: the release of the same book that was onboarded before it. compared: the previous one's citations were
    looked up in this one."""

    __tablename__ = "book_release"
    __table_args__ = (UniqueConstraint("target", "book", "digest"), one_of("state", *BOOK_STATES))

    id: int = Field(default=None, primary_key=True)
    target: str = Field(index=True)
    book: str
    label: str
    folder: str
    digest: str
    previous_id: int | None = Field(default=None, foreign_key=BOOK_RELEASE)
    state: str = "reading"
    compared: bool = False
    brain: str = "offline"
    started_at: float
    finished_at: float | None = None


class BookDocumentRow(SQLModel, table=True):
    """One file of a release. state: `queued`, `read` into sections, `claimed` (its claims are drawn), `not_read` with
    its reason. listed: named in the book's table of contents; None when the book has none. size: bytes."""

    __tablename__ = "book_document"
    __table_args__ = (
        UniqueConstraint("release_id", "path"),
        one_of("state", *DOCUMENT_STATES),
        check("not_read_says_why", "state <> 'not_read' OR reason <> ''"),
    )

    id: int = Field(default=None, primary_key=True)
    release_id: int = Field(foreign_key=BOOK_RELEASE)
    path: str
    kind: str
    sha256: str
    size: int
    listed: bool | None = None
    state: str = "queued"
    reason: str = ""


class BookSectionRow(SQLModel, table=True):
    """A heading and what stands below it up to the next one. anchor: unique in its document. blocks: as they were read
    (kind, source, plain, cells); sha256: of the whitespace-folded text."""

    __tablename__ = "book_section"
    __table_args__ = (UniqueConstraint("document_id", "anchor"), UniqueConstraint("document_id", "seq"))

    id: int = Field(default=None, primary_key=True)
    document_id: int = Field(foreign_key=BOOK_DOCUMENT)
    seq: int
    anchor: str
    title: str
    headings: list[str] = Field(default_factory=list, sa_type=Json)
    blocks: list[dict[str, Any]] = Field(default_factory=list, sa_type=Json)
    sha256: str


class BookUnreadRow(SQLModel, table=True):
    """Something inside a document that was not read: an image, an inclusion, a directive. anchor: of its section."""

    __tablename__ = "book_unread"
    __table_args__ = (check("says_why", "reason <> ''"),)

    id: int = Field(default=None, primary_key=True)
    document_id: int = Field(foreign_key=BOOK_DOCUMENT, index=True)
    anchor: str
    kind: str
    what: str
    reason: str
