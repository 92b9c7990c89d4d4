"""Onboarding as steps that each keep what they did: a second run, or one after a kill, does only what is missing."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.settings import UsageError
from knowledge.book.formats import read_file
from knowledge.book.index import BookIndex, Placed
from knowledge.book.scan import BookError, scan
from knowledge.book.values import FileFound, Scan
from knowledge.claims import Reader, Settled
from knowledge.onboarding import READERS, claims_of
from knowledge.release_change import ReleaseChange, same_book
from store import books, claims, reads
from store.engine import Store
from store.knowledge_views import ReleaseView

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """name: of the book; "" for that of the release before it, else `book_name`."""

    folder: Path
    target: str
    brain: str = "offline"
    name: str = ""


def onboard(store: Store, asked: Asked, say: Say) -> ReleaseView:
    """Read, compare with the release before, draw and audit claims. say: one line of progress.

    Raises: UsageError, BookError.
    """
    reader, found = _reader(asked.brain), scan(asked.folder)
    release = _release(store, asked, found)
    if release.done:
        say(_done_before(store, release, len(found.files)))
        return view(store, release.id)
    _read_documents(store, asked.folder, release, found, say)
    _compare(store, release, say)
    _draw_claims(store, release, reader, say)
    done = view(store, release.id)
    text = f"{done.label}: {done.sections} sections, {done.citations} citations"
    store.write_sync(lambda s: books.finish(s, release.id, text))
    return view(store, release.id)


def _done_before(store: Store, release: books.Release, files: int) -> str:
    known = [one for one in store.read_sync(lambda s: books.releases(s, release.target)) if one.book == release.book]
    newer = "" if known[-1] == release else f"; the newest release is {known[-1].label}"
    return f"{release.book} {release.label}: all of its {files} files were onboarded before{newer}"


def view(store: Store, release_id: int) -> ReleaseView:
    found = store.read_sync(reads.book_releases)
    return next(one for one in found if one.id == release_id)


def _reader(brain: str) -> Reader:
    if brain not in READERS:
        raise UsageError(f"--brain {brain}: it reads no books yet; those that do: {', '.join(READERS)}")
    return READERS[brain]()


def _release(store: Store, asked: Asked, found: Scan) -> books.Release:
    """The row of this content, made when there is none."""
    known = store.read_sync(lambda s: books.releases(s, asked.target))
    there = [one for one in known if one.digest == found.digest and asked.name in ("", one.book)]
    if there:
        return there[0]
    before = _before(store, asked, found, [one for one in known if one.done])
    folder = asked.folder.resolve()
    book = asked.name or (before.book if before is not None else book_name(folder))
    made = store.write_sync(
        lambda s: books.begin(
            s, asked.target, book, folder.name, str(folder), found, brain=asked.brain,
            previous=None if before is None else before.id,
        )
    )  # fmt: skip
    return store.read_sync(lambda s: books.get(s, made))


def book_name(folder: Path) -> str:
    """The folder's; of one that is named after a version or as sources of a book, that of the folder around it."""
    name = folder.stem if folder.is_file() else folder.name
    version = re.fullmatch(r"v?\d[\w.-]*|src|docs?|book|manual|html|latest|stable|readme|index", name, re.IGNORECASE)
    return folder.parent.name if version and folder.parent.name else name


def _before(store: Store, asked: Asked, found: Scan, known: list[books.Release]) -> books.Release | None:
    """The newest release of the same book: of its name when one is given, else one with enough sections in common."""
    if asked.name:
        return next((one for one in reversed(known) if one.book == asked.name), None)
    if not known:
        return None
    places = BookIndex(placed_in(asked.folder, found)).places()
    for one in reversed(known):
        if same_book(BookIndex(placed_of(store, one.id)).places(), places):
            return one
    return None


def placed_of(store: Store, release: int, document: int | None = None) -> list[Placed]:
    """Sections that are kept, of a release or of one document of it."""
    return store.read_sync(lambda s: books.placed(s, release, document))


def placed_in(folder: Path, found: Scan) -> list[Placed]:
    """Sections of a folder that is not kept; what cannot be read is left out."""
    placed = list[Placed]()
    for file in found.files:
        if not file.reason:
            try:
                placed += [Placed(file.path, file.kind, section) for section in read_file(folder, file).sections]
            except BookError:
                continue  # told when it is read in its turn
    return placed


def _read_documents(store: Store, folder: Path, release: books.Release, found: Scan, say: Say) -> None:
    files = {file.path: file for file in found.files}
    waiting = store.read_sync(lambda s: books.waiting(s, release.id, "queued"))
    for number, one in enumerate(waiting, 1):
        say(f"reading {number} of {len(waiting)}: {one.path}: {_read(store, folder, one, files[one.path])}")


def _read(store: Store, folder: Path, one: books.Waiting, file: FileFound) -> str:
    try:
        document = read_file(folder, file)
    except BookError as error:
        reason = str(error)
        store.write_sync(lambda s: books.set_state(s, one.id, "not_read", reason))
        return f"not read: {reason}"
    store.write_sync(lambda s: books.keep_document(s, one.id, document))
    left = f", {len(document.unread)} things in it not read" if document.unread else ""
    return f"{len(document.sections)} sections{left}"


def _compare(store: Store, release: books.Release, say: Say) -> None:
    previous = release.previous
    if previous is None or release.compared:
        return
    cited = store.read_sync(lambda s: claims.cited(s, previous))
    say(f"looking up {len(cited)} citations of the release before")
    change = ReleaseChange(BookIndex(placed_of(store, previous)), BookIndex(placed_of(store, release.id)))
    found = [(one, change.look_up(one.citation)) for one in cited]
    stale = store.write_sync(lambda s: claims.carry(s, release.id, found))
    say(f"{stale} claims are stale")


def _draw_claims(store: Store, release: books.Release, reader: Reader, say: Say) -> None:
    waiting = store.read_sync(lambda s: books.waiting(s, release.id, "read"))
    for number, one in enumerate(waiting, 1):
        new = _keep_claims(store, release.id, one.id, claims_of(reader, placed_of(store, release.id, one.id)))
        say(f"claims {number} of {len(waiting)}: {one.path}: {new}")


def _keep_claims(store: Store, release: int, document: int, found: list[Settled]) -> int:
    return store.write_sync(lambda s: claims.keep(s, release, document, found))
