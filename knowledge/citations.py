"""Citations: a quoted span of a section, and the check of it that needs no understanding. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from knowledge.book.values import fold
from knowledge.tokens import missing


@dataclass(frozen=True, slots=True)
class Citation:
    """document: path in the book; anchor: of the section; span: as it stands in the document."""

    document: str
    anchor: str
    span: str


@dataclass(frozen=True, slots=True)
class ScriptCheck:
    """reason: what is not there; "" when it passed."""

    passed: bool
    reason: str = ""


def holds(folded_section: str, span: str) -> bool:
    """The span stands in the section literally, white space folded."""
    folded = fold(span)
    return bool(folded) and folded in folded_section


def script_check(
    claim: str, citations: Sequence[Citation], section: Callable[[Citation], str | None], plain: Callable[[str], str]
) -> ScriptCheck:
    """Every span stands in its section, and every number and identifier of the claim in a span.

    section: folded text of the cited section, None when there is none; plain: a span as a reader sees it, so that a
    number in the address of a link proves nothing.
    """
    if not citations:
        return ScriptCheck(False, "it cites nothing")
    for citation in citations:
        text = section(citation)
        if text is None:
            return ScriptCheck(False, f"{citation.document} has no section {citation.anchor!r}")
        if not holds(text, citation.span):
            return ScriptCheck(False, f"the quoted span is not in {citation.document}#{citation.anchor}")
    lost = missing(claim, " ".join(plain(citation.span) for citation in citations))
    return ScriptCheck(False, f"not in the quoted span: {', '.join(lost)}") if lost else ScriptCheck(True)
