"""Claims with their citations and audits: kept once, carried from release to release, stale when their text is gone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from sqlmodel import Session, col, select

from knowledge.book.values import digest, fold
from knowledge.citations import Citation
from knowledge.claims import Settled
from knowledge.release_change import Change
from store import books, events, sql
from store.clock import now
from store.tables import BookReleaseRow, CitationRow, ClaimAuditRow, ClaimRow

LIVE = ("supported", "partly", "unaudited")


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation of a live claim in one release. id: of its row."""

    id: int
    claim: int
    seq: int
    citation: Citation


def keep(s: Session, release_id: int, document_id: int, claims: Sequence[Settled]) -> int:
    """The claims of one document and its state, in one transaction; one that is live already with the same words and
    span in this release is not kept twice. Returns how many are new; 0 when the document's claims were kept before."""
    if books.state_of(s, document_id) != "read":
        return 0
    known = {(fold(text), document, anchor, span) for text, document, anchor, span in _live(s, release_id)}
    new = [claim for claim in claims if _key(claim) not in known]
    for claim in new:
        _add(s, release_id, claim)
    books.set_state(s, document_id, "claimed")
    return len(new)


def cited(s: Session, release_id: int) -> list[Cited]:
    """Every citation of a live claim in this release."""
    rows = s.exec(
        select(CitationRow)
        .join(ClaimRow, col(ClaimRow.id) == CitationRow.claim_id)
        .where(CitationRow.release_id == release_id, col(ClaimRow.state).in_(LIVE))
        .order_by(col(CitationRow.id))
    ).all()
    return [Cited(row.id, row.claim_id, row.seq, Citation(row.document, row.anchor, row.span)) for row in rows]


@dataclass(frozen=True, slots=True)
class Held:
    """A claim with its citations in the newest release that has it. changes: what became of each, "" where there was no
    release before."""

    claim: int
    text: str
    release: int
    citations: tuple[Citation, ...]
    changes: tuple[str, ...]


def held(s: Session, target: str) -> list[Held]:
    """Every claim of the target that was not dropped."""
    rows = sql.rows(
        s,
        "SELECT c.*, claim.text FROM citation AS c JOIN claim ON claim.id = c.claim_id JOIN book_release AS r"
        " ON r.id = claim.release_id WHERE r.target = :target AND claim.state <> 'dropped' AND c.release_id ="
        " (SELECT max(release_id) FROM citation AS n WHERE n.claim_id = c.claim_id) ORDER BY c.claim_id, c.seq",
        target=target,
    )
    found = [list(of) for _, of in groupby(rows, lambda row: int(row["claim_id"]))]
    return [
        Held(
            of[0]["claim_id"], of[0]["text"], of[0]["release_id"],
            tuple(Citation(one["document"], one["anchor"], one["span"]) for one in of),
            tuple(one["change"] for one in of),
        )
        for of in found
    ]  # fmt: skip


def carry(s: Session, release_id: int, changes: Iterable[tuple[Cited, Change]]) -> int:
    """What became of the citations of the release before, all in one transaction. A claim with a changed or gone
    citation becomes stale; the others are carried over. Returns how many became stale; 0 when this was done before."""
    release = s.get(BookReleaseRow, release_id)
    if release is None or release.compared:
        return 0
    stale = dict[int, str]()
    for old, change in changes:
        held = change.kind in ("unchanged", "moved")
        span = old.citation.span
        s.add(
            CitationRow(
                claim_id=old.claim, release_id=release_id, seq=old.seq, document=change.document, anchor=change.anchor,
                span=span, span_sha256=digest(span), script_check="passed" if held else "failed",
                reason=change.reason, change=change.kind, previous_id=old.id, found=change.found,
            )
        )  # fmt: skip
        if not held:
            stale.setdefault(old.claim, f"its source is {change.kind}: {change.reason}")
    for claim, reason in stale.items():
        _mark_stale(s, claim, reason)
    release.compared = True
    s.add(release)
    events.append(s, None, "book", release.book, f"{len(stale)} claims are stale", target=release.target)
    return len(stale)


def counts(s: Session, release_id: int) -> Mapping[str, int]:
    """Of the claims that were drawn from this release: by state, and how many were reworded."""
    found = sql.rows(
        s, "SELECT state, count(*) AS n FROM claim WHERE release_id = :release GROUP BY state", release=release_id
    )
    fixed = sql.scalar(
        s,
        "SELECT count(*) FROM claim WHERE release_id = :release AND drafted <> '' AND state <> 'dropped'",
        release=release_id,
    )
    at_once = sql.scalar(
        s,
        "SELECT count(*) FROM claim WHERE release_id = :release AND drafted = '' AND state <> 'dropped'",
        release=release_id,
    )
    return {**{str(row["state"]): int(row["n"]) for row in found}, "fixed": int(fixed), "at_once": int(at_once)}


def changes(s: Session, release_id: int) -> Mapping[str, int]:
    """What became of the citations of the release before: how many by kind."""
    found = sql.rows(
        s,
        "SELECT change, count(*) AS n FROM citation WHERE release_id = :release AND change <> '' GROUP BY change",
        release=release_id,
    )
    return {str(row["change"]): int(row["n"]) for row in found}


def _add(s: Session, release_id: int, claim: Settled) -> None:
    row = ClaimRow(
        release_id=release_id, kind=claim.kind, text=claim.text, drafted=claim.drafted, state=claim.state,
        reason=claim.reason, at=now(),
    )  # fmt: skip
    s.add(row)
    s.flush()
    check = "passed" if claim.check.passed else "failed"
    for seq, one in enumerate(claim.citations):
        s.add(
            CitationRow(
                claim_id=row.id, release_id=release_id, seq=seq, document=one.document, anchor=one.anchor,
                span=one.span, span_sha256=digest(one.span), script_check=check, reason=claim.check.reason,
            )
        )  # fmt: skip
    for audit in claim.audits:
        s.add(
            ClaimAuditRow(
                claim_id=row.id, auditor=audit.auditor, method=audit.method, lexical=audit.lexical,
                wording=audit.wording, verdict=audit.verdict, reason=audit.reason, at=now(),
            )
        )  # fmt: skip


def _live(s: Session, release_id: int) -> list[tuple[str, str, str, str]]:
    found = sql.rows(
        s,
        "SELECT claim.text, document, anchor, span_sha256 FROM citation JOIN claim ON claim.id = claim_id"
        " WHERE citation.release_id = :release AND seq = 0 AND state IN ('supported', 'partly', 'unaudited')",
        release=release_id,
    )
    return [(row["text"], row["document"], row["anchor"], row["span_sha256"]) for row in found]


def _key(claim: Settled) -> tuple[str, str, str, str]:
    first = claim.citations[0]
    return fold(claim.text), first.document, first.anchor, digest(first.span)


def _mark_stale(s: Session, claim_id: int, reason: str) -> None:
    row = s.get(ClaimRow, claim_id)
    if row is not None:
        row.state, row.reason = "stale", reason
        s.add(row)
