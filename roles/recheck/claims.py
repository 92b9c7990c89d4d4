"""Claims after a change: looked up in the newest release of their book, by the same script check as at first."""

from collections.abc import Mapping
from functools import cache

from knowledge.book.index import BookIndex
from knowledge.onboarding import checked
from knowledge.recheck import Finding, settle
from roles.campaign import Campaign
from store import books, claims, rechecked, toolchain
from store.books import Release
from store.claims import Held
from store.engine import Session
from store.toolchain import Change

CHANGES = ("unchanged", "moved", "changed", "gone")
GONE = CHANGES[2:]


async def recheck_claims(campaign: Campaign, change: Change) -> None:
    """All of them in one transaction: no reader sees half a book."""
    records = await campaign.store.read(lambda s: rechecked.due(s, change.id, "claim"))
    found = await campaign.store.read(lambda s: _findings(s, change)) if records else {}
    missing = Finding("not_tried", "it cites no release that is kept")

    def rows(s: Session) -> None:
        for record in records:
            toolchain.settle(s, change.id, settle(record, found.get(record.name, missing)))
        told = [_arrived(s, one) for one in toolchain.arrived(s, change.id)]
        for text in told:
            toolchain.note(s, change.id, text)
        toolchain.say(s, change.id, "claim", "; ".join(told))

    await campaign.store.write(rows)


def _arrived(s: Session, one: Release) -> str:
    """`chip v2: 6 citations of the release before = 3 unchanged + 1 moved + 1 changed + 1 gone; new claims: 2`."""
    kinds = claims.changes(s, one.id)
    text = f"{one.book} {one.label}: "
    if one.previous is not None:
        parts = " + ".join(f"{kinds.get(kind, 0)} {kind}" for kind in CHANGES)
        text += f"{sum(kinds.values())} citations of the release before = {parts}; "
    new = sum(n for state, n in claims.counts(s, one.id).items() if state in claims.LIVE)
    return f"{text}new claims: {new}"


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
