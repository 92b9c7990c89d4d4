"""The passages that a claim rests on, with what stands around them."""

from typing import Final

from sqlmodel import Session

from knowledge.book.values import fold
from store import books, sql
from store.knowledge_views import PassageView

AROUND: Final = 2  # blocks before and after


def passages(s: Session, claim_id: int) -> tuple[PassageView, ...]:
    """One for each citation of the claim's newest release whose span stands in its section."""
    rows = sql.rows(
        s,
        "SELECT c.document, c.anchor, c.span, d.id AS document_id, c.release_id FROM citation AS c JOIN book_document"
        " AS d ON d.release_id = c.release_id AND d.path = c.document WHERE c.claim_id = :claim AND c.release_id ="
        " (SELECT max(release_id) FROM citation WHERE claim_id = :claim) ORDER BY c.seq",
        claim=claim_id,
    )
    found = [_passage(s, row["release_id"], row["document_id"], row["anchor"], row["span"]) for row in rows]
    return tuple(one for one in found if one is not None)


def _passage(s: Session, release: int, document: int, anchor: str, span: str) -> PassageView | None:
    for one in books.placed(s, release, document):
        if one.section.anchor != anchor:
            continue
        blocks = [block for block in one.section.blocks if block.kind != "code" and block.plain]
        for i, block in enumerate(blocks):
            if fold(span) in fold(block.source):
                before, cited, after = _parted(block.plain, one.plain(span))
                above, below = blocks[max(i - AROUND, 0) : i], blocks[i + 1 : i + 1 + AROUND]
                return PassageView(
                    one.document, anchor, span, tuple(text for text in (*(b.plain for b in above), before) if text),
                    cited, tuple(text for text in (after, *(b.plain for b in below)) if text),
                )  # fmt: skip
    return None


def _parted(block: str, cited: str) -> tuple[str, str, str]:
    """What stands before the cited text in its block, the text, what stands after it; a row of a table stays whole."""
    before, found, after = block.partition(cited)
    return (before.strip(), found, after.strip()) if found else ("", block, "")
