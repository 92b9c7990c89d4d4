"""Releases of books and claims, for commands and screens."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import claims as claim_rows
from store import llm_calls, sql
from store.knowledge_views import AuditorView, CitationView, ClaimView, DocumentView, ReleaseView, UnreadView

RELEASES: Final = """
SELECT r.*, coalesce((SELECT label FROM book_release AS p WHERE p.id = r.previous_id), '') AS previous,
  (SELECT count(*) FROM book_document WHERE release_id = r.id) AS files,
  (SELECT count(*) FROM book_document WHERE release_id = r.id AND state IN ('read', 'claimed')) AS read,
  (SELECT count(*) FROM book_document WHERE release_id = r.id AND state = 'not_read') AS not_read,
  (SELECT count(*) FROM book_document WHERE release_id = r.id AND state = 'queued') AS waiting,
  (SELECT count(*) FROM book_document WHERE release_id = r.id AND listed = 1) AS listed,
  (SELECT count(*) FROM book_document WHERE release_id = r.id AND listed = 0) AS unlisted,
  (SELECT count(*) FROM book_section JOIN book_document AS d ON d.id = document_id
    WHERE d.release_id = r.id) AS sections,
  (SELECT count(*) FROM citation JOIN claim ON claim.id = claim_id AND claim.state <> 'dropped'
    WHERE citation.release_id = r.id AND change = '') AS citations
FROM book_release AS r
"""
UNREAD: Final = """
SELECT path, '' AS anchor, 'file' AS kind, path AS what, reason FROM book_document
  WHERE release_id = :release AND state = 'not_read'
UNION ALL
SELECT path, anchor, u.kind, what, u.reason FROM book_unread AS u JOIN book_document AS d ON d.id = u.document_id
  WHERE release_id = :release ORDER BY 1, 2
"""
DOCUMENTS: Final = """
SELECT path, kind, state, reason, listed,
  (SELECT count(*) FROM book_section WHERE document_id = d.id) AS sections,
  (SELECT count(*) FROM citation WHERE release_id = d.release_id AND document = d.path AND seq = 0 AND change = '')
    AS claims
FROM book_document AS d WHERE release_id = :release ORDER BY path
"""
CITATIONS: Final = """
SELECT c.claim_id, c.document, c.anchor, c.span, c.change, c.found, c.script_check, c.reason, r.label,
  coalesce((SELECT title FROM book_section JOIN book_document AS d ON d.id = document_id
    WHERE d.release_id = c.release_id AND d.path = c.document AND book_section.anchor = c.anchor), '') AS title
FROM citation AS c JOIN book_release AS r ON r.id = c.release_id
WHERE c.release_id = (SELECT max(release_id) FROM citation AS n WHERE n.claim_id = c.claim_id)
ORDER BY c.claim_id, c.seq
"""


def book_releases(s: Session, target: str | None = None) -> tuple[ReleaseView, ...]:
    """Oldest first."""
    found = sql.rows(s, RELEASES + "WHERE :target IS NULL OR r.target = :target ORDER BY r.id", target=target)
    return tuple(_release(s, row) for row in found)


def book_claims(s: Session, target: str | None = None) -> tuple[ClaimView, ...]:
    """Every claim with its newest citations and the auditors' word on its last wording, in the order of the book."""
    rows = sql.rows(
        s,
        "SELECT claim.*, target, book, label FROM claim JOIN book_release AS r ON r.id = release_id"
        " WHERE :target IS NULL OR target = :target ORDER BY claim.id",
        target=target,
    )
    citations, auditors = defaultdict[int, list[RowMapping]](list), defaultdict[int, list[RowMapping]](list)
    for row in sql.rows(s, CITATIONS):
        citations[row["claim_id"]].append(row)
    for row in sql.rows(s, "SELECT * FROM claim_audit ORDER BY id"):
        auditors[row["claim_id"]].append(row)
    return tuple(_claim(row, citations[row["id"]], auditors[row["id"]]) for row in rows)


def _release(s: Session, row: RowMapping) -> ReleaseView:
    listed = bool(row["listed"] or row["unlisted"])
    spent = llm_calls.committed(s, llm_calls.Account(release=row["id"]))
    return ReleaseView(
        id=row["id"], target=row["target"], book=row["book"], label=row["label"], folder=row["folder"],
        previous=row["previous"], done=row["state"] == "done", files=row["files"], read=row["read"],
        not_read=row["not_read"], waiting=row["waiting"], listed=row["listed"] if listed else None,
        unlisted=row["unlisted"] if listed else None, sections=row["sections"], citations=row["citations"],
        unread=tuple(
            UnreadView(one["path"], one["anchor"], one["kind"], one["what"], one["reason"])
            for one in sql.rows(s, UNREAD, release=row["id"])
        ),
        documents=tuple(_document(one) for one in sql.rows(s, DOCUMENTS, release=row["id"])),
        claims=dict(claim_rows.counts(s, row["id"])), changes=dict(claim_rows.changes(s, row["id"])),
        brain=row["brain"], calls=spent.calls, tokens=spent.tokens, usd=spent.usd,
    )  # fmt: skip


def _document(row: RowMapping) -> DocumentView:
    listed = None if row["listed"] is None else bool(row["listed"])
    return DocumentView(row["path"], row["kind"], row["state"], row["reason"], listed, row["sections"], row["claims"])


def _claim(row: RowMapping, citations: Sequence[RowMapping], auditors: Sequence[RowMapping]) -> ClaimView:
    return ClaimView(
        id=row["id"], target=row["target"], book=row["book"], kind=row["kind"], text=row["text"],
        drafted=row["drafted"],
        citations=tuple(
            CitationView(
                one["document"], one["anchor"], one["title"], one["span"], one["label"], one["change"], one["found"],
                one["script_check"], one["reason"],
            )
            for one in citations
        ),
        script_check="passed" if all(one["script_check"] == "passed" for one in citations) else "failed",
        auditors=tuple(
            AuditorView(one["auditor"], one["method"], bool(one["lexical"]), one["verdict"], one["reason"])
            for one in auditors
            if one["wording"] == row["text"]
        ),
        state=row["state"], reason=row["reason"], drawn_from=row["label"],
    )  # fmt: skip
