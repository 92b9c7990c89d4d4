"""Onboarding as steps that each keep what they did: a second run, or one after a kill, does only what is missing."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from knowledge.book.formats import read_file
from knowledge.book.index import BookIndex, Placed
from knowledge.book.scan import BookError, scan
from knowledge.book.values import FileFound, Scan
from knowledge.offline_reader import OfflineReader
from knowledge.onboarding import claims_of
from knowledge.release_change import ReleaseChange, same_book
from store import books, campaigns, claims, reads
from store.engine import Store
from store.knowledge_views import ReleaseView
from store.lock import engine_owner

Say = Callable[[str], None]
Draw = Callable[[Store, books.Release, Sequence[books.Waiting], Say], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """name: of the book; "" for that of the release before it, else `book_name`."""

    folder: Path
    target: str
    brain: str = "offline"
    name: str = ""


def draw_offline(store: Store, release: books.Release, waiting: Sequence[books.Waiting], say: Say) -> None:
    """Claims by their words, without a model."""
    for number, one in enumerate(waiting, 1):
        found = claims_of(OfflineReader(), placed_of(store, release.id, one.id))
        new = store.write_sync(partial(claims.keep, release_id=release.id, document_id=one.id, claims=found))
        say(f"claims {number} of {len(waiting)}: {one.path}: {new}")


def onboard(store: Store, asked: Asked, say: Say, draw: Draw = draw_offline) -> ReleaseView:
    """Read, compare with the release before, draw and audit claims. say: one line of progress; draw: who draws and
    audits.

    Raises: UsageError, BookError, and what `draw` raises.
    """
    found = scan(asked.folder)
    release = _release(store, asked, found)
    if release.done:
        say(_done_before(store, release, len(found.files)))
        return view(store, release.id)
    _read_documents(store, asked.folder, release, found, say)
    _compare(store, release, say)
    waiting = store.read_sync(lambda s: books.waiting(s, release.id, "read"))
    draw(store, release, waiting, say)
    done = view(store, release.id)
    text = f"{done.label}: {done.sections} sections, {done.citations} citations"
    store.write_sync(lambda s: books.finish(s, release.id, text))
    return view(store, release.id)


def runs_on(store: Store, target: str) -> bool:
    """Whether an engine runs a campaign on this target now: its maintainer sees a new release by itself."""
    row = store.read_sync(campaigns.latest) if engine_owner(store.home) is not None else None
    return row is not None and (row.target, row.state == "finished") == (target, False)


def _done_before(store: Store, release: books.Release, files: int) -> str:
    known = [one for one in store.read_sync(lambda s: books.releases(s, release.target)) if one.book == release.book]
    newer = "" if known[-1] == release else f"; the newest release is {known[-1].label}"
    return f"{release.book} {release.label}: all of its {files} files were onboarded before{newer}"


def view(store: Store, release_id: int) -> ReleaseView:
    found = store.read_sync(reads.book_releases)
    return next(one for one in found if one.id == release_id)


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
