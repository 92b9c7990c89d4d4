"""From sections to settled claims. Pure; reading files is `knowledge.book`, keeping rows is the store's."""

from collections.abc import Iterator, Sequence
from typing import Final

from knowledge.book.index import BookIndex, Placed
from knowledge.citations import Citation, ScriptCheck, script_check
from knowledge.claims import Draft, Evidence, Reader, Settled, settle

AROUND: Final = 50  # statements before and after the cited one


def claims_of(reader: Reader, placed: Sequence[Placed]) -> list[Settled]:
    """Every claim that the reader draws from these sections, settled by its auditors."""
    index = BookIndex(placed)
    return [
        settle(draft, reader.auditors, evidence_for(draft, index))
        for one in placed
        for draft in reader.draft(one.document, one.kind, one.section)
    ]


def evidence_for(draft: Draft, index: BookIndex) -> Evidence:
    """What the draft's citations point to in the book."""
    found = [(one, citation) for citation in draft.citations if (one := index.of(citation)) is not None]
    cited = [one.plain(citation.span) for one, citation in found]
    around = dict.fromkeys(text for one, citation in found for text in _near(one, citation))
    return Evidence(lambda text, citations: checked(text, citations, index), cited, list(around))


def _near(placed: Placed, citation: Citation) -> Iterator[str]:
    """Statements of the section around the cited one, as a reader sees them; of a long section not all."""
    span, statements = citation.span, placed.statements
    at = next((i for i, one in enumerate(statements) if one.source in span or span in one.source), 0)
    for one in statements[max(at - AROUND, 0) : at + AROUND]:
        yield one.plain


def checked(text: str, citations: Sequence[Citation], index: BookIndex) -> ScriptCheck:
    """The script check against a whole book."""
    places = [index.of(citation) for citation in citations]
    kind = next((one for one in places if one is not None), None)
    return script_check(
        text,
        citations,
        lambda citation: one.folded if (one := index.of(citation)) is not None else None,
        (lambda span: span) if kind is None else kind.plain,
    )
