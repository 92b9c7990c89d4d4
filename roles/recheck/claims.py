"""Claims after a change: looked up in the newest release of their book, by the same script check as at first."""

from collections.abc import Mapping
from functools import cache

from knowledge.book.index import BookIndex
from knowledge.onboarding import checked
from knowledge.recheck import Finding, settle
from roles.campaign import Campaign
from store import books, claims, rechecked, toolchain
from store.claims import Held
from store.engine import Session
from store.toolchain import Change

GONE = ("changed", "gone")


async def recheck_claims(campaign: Campaign, change: Change) -> None:
    """All of them in one transaction: no reader sees half a book."""
    records = await campaign.store.read(lambda s: rechecked.due(s, change.id, "claim"))
    if not records:
        return
    found = await campaign.store.read(lambda s: _findings(s, change))
    missing = Finding("not_tried", "it cites no release that is kept")

    def rows(s: Session) -> None:
        for record in records:
            toolchain.settle(s, change.id, settle(record, found.get(record.name, missing)))
        toolchain.say(s, change.id, "claim")

    await campaign.store.write(rows)


def _findings(s: Session, change: Change) -> Mapping[str, Finding]:
    """By the claim's id."""

    @cache
    def index(release: int) -> BookIndex:
        return BookIndex(books.placed(s, release))

    return {str(one.claim): _finding(one, index(one.release), change) for one in claims.held(s, change.target)}


def _finding(of: Held, index: BookIndex, change: Change) -> Finding:
    """A claim whose passage moved in the release that came cites its new place, which is a rewriting."""
    lost = [kind for kind in of.changes if kind in GONE]
    if lost:
        return Finding("fails", f"its source is {lost[0]}")
    check = checked(of.text, of.citations, index)
    if not check.passed:
        return Finding("fails", f"script check: {check.reason}")
    if change.new_book and "moved" in of.changes:
        return Finding("changed", "its passage moved")
    return Finding("holds", "its passage stands")
