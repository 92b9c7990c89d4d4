"""Checks again what is kept: spans, numbers and identifiers of live claims, sections, and on wish another folder."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from app.onboarding.steps import placed_in, placed_of
from knowledge.book.index import BookIndex
from knowledge.book.scan import BookError, scan
from knowledge.onboarding import checked
from knowledge.release_change import Change, ReleaseChange
from store import books, claims, reads
from store.claims import Cited
from store.engine import Store
from store.knowledge_views import ClaimView


@dataclass(frozen=True, slots=True)
class Failed:
    claim: ClaimView
    reason: str


@dataclass(frozen=True, slots=True)
class Verified:
    """The newest release of one book. claims: live ones; damaged: sections that are no longer what was read.
    folder_state: unchanged, changed or not there. looked_up: its citations in another folder, when one was given."""

    release: books.Release
    claims: int
    failed: tuple[Failed, ...]
    damaged: tuple[str, ...]
    folder_state: str
    looked_up: tuple[tuple[Cited, Change], ...] = ()

    @property
    def holds(self) -> bool:
        lost = any(change.kind in ("changed", "gone") for _, change in self.looked_up)
        return not (self.failed or self.damaged or lost)


def newest(store: Store, target: str | None) -> list[books.Release]:
    """The newest finished release of every book."""
    done = [one for one in store.read_sync(lambda s: books.releases(s, target)) if one.done]
    return list({(one.target, one.book): one for one in done}.values())


def verify(store: Store, release: books.Release, other: Path | None = None) -> Verified:
    """other: a folder in which the release's citations are looked up. Raises: BookError when it cannot be read."""
    index = BookIndex(placed_of(store, release.id))
    cited = store.read_sync(lambda s: claims.cited(s, release.id))
    views = {one.id: one for one in store.read_sync(lambda s: reads.book_claims(s, release.target))}
    failed = list[Failed]()
    ordered = sorted(cited, key=lambda one: (one.claim, one.seq))
    grouped = [list(rows) for _, rows in groupby(ordered, lambda one: one.claim)]
    for rows in grouped:
        claim = views[rows[0].claim]
        check = checked(claim.text, [one.citation for one in rows], index)
        failed += [] if check.passed else [Failed(claim, check.reason)]
    return Verified(
        release, len(grouped), tuple(failed), tuple(store.read_sync(lambda s: books.damaged(s, release.id))),
        _folder_state(release), () if other is None else _looked_up(index, cited, other),
    )  # fmt: skip


def _looked_up(index: BookIndex, cited: Sequence[Cited], other: Path) -> tuple[tuple[Cited, Change], ...]:
    change = ReleaseChange(index, BookIndex(placed_in(other, scan(other))))
    return tuple((one, change.look_up(one.citation)) for one in cited)


def _folder_state(release: books.Release) -> str:
    try:
        return "unchanged" if scan(Path(release.folder)).digest == release.digest else "changed"
    except BookError:
        return "not there"
