"""What is said of a book that was onboarded, as text and JSON."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import typer

from app.sanitise import clean
from store.knowledge_views import ReleaseView

CHANGES = ("unchanged", "moved", "changed", "gone")
SHOWN = 20
OFFLINE = "offline"


def echo(text: str, *, err: bool = False) -> None:
    """Texts of books and names of files may hold anything; they are shown so that no terminal obeys them."""
    for line in text.split("\n"):
        typer.echo(clean(line), err=err)


def as_json(view: ReleaseView) -> dict[str, Any]:
    """{"target", "book", "release", "previous", "brain", "cost", "files", "sections", "claims", "citations", "changes",
    "documents", "not_read"}."""
    return {
        "target": view.target, "book": view.book, "release": view.label, "previous": view.previous or None,
        "folder": view.folder, "done": view.done, "brain": view.brain,
        "cost": {"requests": view.calls, "tokens": view.tokens, "usd": view.usd},
        "files": {
            "total": view.files, "read": view.read, "not_read": view.not_read, "waiting": view.waiting,
            "listed": view.listed, "unlisted": view.unlisted,
        },
        "sections": view.sections, "claims": claim_counts(view), "citations": view.citations,
        "changes": change_counts(view), "documents": [asdict(one) for one in view.documents],
        "not_read": [
            {"doc": one.doc, "section": one.section, "kind": one.kind, "what": one.what, "reason": one.reason}
            for one in view.unread
        ],
    }  # fmt: skip


def claim_counts(view: ReleaseView) -> dict[str, int]:
    """Of what was drawn from this release: drafted = supported at once + fixed + partly as drafted + dropped."""
    states = {state: view.claims.get(state, 0) for state in ("supported", "partly", "unaudited", "stale", "dropped")}
    return {
        "drafted": sum(states.values()), "supported_at_once": view.claims.get("at_once", 0),
        "fixed": view.claims.get("fixed", 0), **states,
    }  # fmt: skip


def change_counts(view: ReleaseView) -> dict[str, int] | None:
    """Of the citations of the release before; None when there is none."""
    if not view.previous:
        return None
    kinds = {kind: view.changes.get(kind, 0) for kind in CHANGES}
    return {"citations": sum(kinds.values()), **kinds}


def _auditors(view: ReleaseView) -> str:
    return "lexical only" if view.brain == OFFLINE else "two models, or one in two conversations"


def text(view: ReleaseView) -> str:
    return "\n".join(_lines(view))


def _lines(view: ReleaseView) -> Iterator[str]:
    waiting = f" + {view.waiting} waiting" if view.waiting else ""
    files = f"{view.files} files = {view.read} read + {view.not_read} not read{waiting}"
    yield f"{view.book} {view.label} for {view.target}: {files}"
    if view.listed is not None:
        others = ", ".join(one.path for one in view.documents if one.listed is False)
        yield f"table of contents: {view.listed} files named, {view.unlisted} not named{others and f' ({others})'}"
    claims = claim_counts(view)
    yield (
        f"{view.sections} sections; {claims['drafted']} claims drafted: {claims['supported_at_once']} stand at once, "
        f"{claims['fixed']} fixed, {claims['dropped']} dropped; {view.citations} citations; auditors: {_auditors(view)}"
    )
    if view.calls:
        yield f"read by {view.brain}: {view.calls} requests, {view.tokens:,} tokens, ${view.usd:.2f} spent or reserved"
    changes = change_counts(view)
    if changes is not None:
        kinds = " + ".join(f"{changes[kind]} {kind}" for kind in CHANGES)
        yield f"{changes['citations']} citations of {view.previous} = {kinds}"
    if view.unread:
        kinds = Counter(one.kind for one in view.unread)
        yield f"not read: {', '.join(f'{count} {kind}' for kind, count in kinds.most_common())}"
        for one in view.unread[:SHOWN]:
            yield f"  {one.doc}{f'#{one.section}' if one.section else ''}: {one.kind} {one.what}: {one.reason}"
        if len(view.unread) > SHOWN:
            yield f"  and {len(view.unread) - SHOWN} more: --json lists all"
