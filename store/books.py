"""Releases of books: their files, sections, what was not read. What is written once is not done again, by nobody."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlmodel import Session, col, select

from knowledge.book.index import Placed
from knowledge.book.values import Block, Document, FileFound, Scan, Section
from store import events, sql
from store.clock import now
from store.tables import BookDocumentRow, BookReleaseRow, BookSectionRow, BookUnreadRow


@dataclass(frozen=True, slots=True)
class Release:
    """One release of a book. previous: the release of the same book before it. done: nothing of it is left to do."""

    id: int
    target: str
    book: str
    label: str
    folder: str
    digest: str
    previous: int | None
    compared: bool
    done: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """A document of a release that something is still to be done with."""

    id: int
    path: str
    kind: str


def releases(s: Session, target: str | None = None) -> list[Release]:
    """Of one target or of all, oldest first."""
    query = select(BookReleaseRow).order_by(col(BookReleaseRow.id))
    if target is not None:
        query = query.where(BookReleaseRow.target == target)
    return [_release(row) for row in s.exec(query).all()]


def newest(s: Session, target: str) -> list[tuple[str, Release]]:
    """The newest finished release of each book, by book, with a name that no other release has: a folder that was
    brought up to date in place has the label of the release before."""
    done = [one for one in releases(s, target) if one.done]
    last = {one.book: one for one in done}
    labels = [(one.book, one.label) for one in done]
    return [(_name(last[book], labels.count((book, last[book].label))), last[book]) for book in sorted(last)]


def _name(one: Release, alike: int) -> str:
    return f"{one.book} {one.label}" + (f" ({one.digest[:8]})" if alike > 1 else "")


def get(s: Session, release_id: int) -> Release:
    """Raises: LookupError."""
    row = s.get(BookReleaseRow, release_id)
    if row is None:
        raise LookupError(f"no release {release_id}")
    return _release(row)


def begin(
    s: Session, target: str, book: str, label: str, folder: str, scan: Scan, *, previous: int | None, brain: str
) -> int:
    """The release with all its files; those that cannot be read are settled at once. Returns its id, also when it was
    there already."""
    there = [one for one in releases(s, target) if (one.book, one.digest) == (book, scan.digest)]
    if there:
        return there[0].id
    row = BookReleaseRow(
        target=target, book=book, label=label, folder=folder, digest=scan.digest, previous_id=previous,
        compared=previous is None, brain=brain, started_at=now(),
    )  # fmt: skip
    s.add(row)
    s.flush()
    release = events.need_id(row.id)
    documents = [_document(release, file) for file in scan.files]
    s.add_all(documents)
    s.flush()
    ids = {one.path: events.need_id(one.id) for one in documents}
    for path, what in scan.missing:
        reason = "the table of contents names it and it is not there"
        s.add(BookUnreadRow(document_id=ids[path], anchor="top", kind="chapter", what=what, reason=reason))
    events.append(s, None, "book", book, f"{label}: {len(documents)} files", target=target, release=release)
    return release


def waiting(s: Session, release_id: int, state: str) -> list[Waiting]:
    """Documents in this state, by path."""
    query = select(BookDocumentRow).where(BookDocumentRow.release_id == release_id, BookDocumentRow.state == state)
    return [Waiting(row.id, row.path, row.kind) for row in s.exec(query.order_by(col(BookDocumentRow.path))).all()]


def keep_document(s: Session, document_id: int, document: Document) -> None:
    """Its sections and what was not read in it, in one transaction with its state. Does nothing when it was read."""
    if state_of(s, document_id) != "queued":
        return
    for seq, section in enumerate(document.sections):
        s.add(
            BookSectionRow(
                document_id=document_id, seq=seq, anchor=section.anchor, title=section.title,
                headings=list(section.headings), blocks=[asdict(block) for block in section.blocks],
                sha256=section.sha256,
            )
        )  # fmt: skip
    for one in document.unread:
        s.add(BookUnreadRow(document_id=document_id, **asdict(one)))
    set_state(s, document_id, "read")


def state_of(s: Session, document_id: int) -> str:
    """Raises: LookupError."""
    row = s.get(BookDocumentRow, document_id)
    if row is None:
        raise LookupError(f"no document {document_id}")
    return row.state


def set_state(s: Session, document_id: int, state: str, reason: str = "") -> None:
    """reason: why it was not read."""
    row = s.get(BookDocumentRow, document_id)
    if row is None:
        raise LookupError(f"no document {document_id}")
    row.state, row.reason = state, reason
    s.add(row)


def finish(s: Session, release_id: int, text: str) -> None:
    """Nothing of the release is left to do. text: one line for the log."""
    row = s.get(BookReleaseRow, release_id)
    if row is None:
        raise LookupError(f"no release {release_id}")
    row.state, row.finished_at = "done", now()
    s.add(row)
    events.append(s, None, "book", row.book, text, target=row.target, release=release_id)


def placed(s: Session, release_id: int, document_id: int | None = None) -> list[Placed]:
    """Sections of a release, or of one document of it, in the book's order."""
    query = (
        select(BookSectionRow, BookDocumentRow)
        .join(BookDocumentRow, col(BookDocumentRow.id) == BookSectionRow.document_id)
        .where(BookDocumentRow.release_id == release_id)
    )
    if document_id is not None:
        query = query.where(BookSectionRow.document_id == document_id)
    rows: Sequence[tuple[BookSectionRow, BookDocumentRow]] = s.exec(
        query.order_by(col(BookDocumentRow.path), col(BookSectionRow.seq))
    ).all()
    return [Placed(document.path, document.kind, _section(row)) for row, document in rows]


def damaged(s: Session, release_id: int) -> list[str]:
    """Sections whose text is no longer what was read, as path#anchor."""
    kept = sql.rows(
        s,
        "SELECT path, anchor, book_section.sha256 FROM book_section JOIN book_document ON document_id ="
        " book_document.id WHERE release_id = :release",
        release=release_id,
    )
    hashes = {(row["path"], row["anchor"]): row["sha256"] for row in kept}
    found = placed(s, release_id)
    return [
        f"{one.document}#{one.section.anchor}"
        for one in found
        if hashes[one.document, one.section.anchor] != one.section.sha256
    ]


def _release(row: BookReleaseRow) -> Release:
    return Release(
        row.id, row.target, row.book, row.label, row.folder, row.digest, row.previous_id, row.compared,
        row.state == "done",
    )  # fmt: skip


def _document(release: int, file: FileFound) -> BookDocumentRow:
    return BookDocumentRow(
        release_id=release, path=file.path, kind=file.kind, sha256=file.sha256, size=file.size, listed=file.listed,
        state="not_read" if file.reason else "queued", reason=file.reason,
    )  # fmt: skip


def _section(row: BookSectionRow) -> Section:
    return Section(row.anchor, row.title, tuple(row.headings), tuple(_block(block) for block in row.blocks))


def _block(kept: dict[str, object]) -> Block:
    """As `asdict` wrote it."""
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()}
    return Block(**values)  # ty: ignore[invalid-argument-type]
