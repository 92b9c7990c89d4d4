"""Seeded claims of a made-up book: 40 that show, two of them stale, and one that was dropped."""

from store.knowledge_views import AuditorView, CitationView, ClaimView, PassageView, ReleaseView
from store.toolchain_views import ToolchainChangeView

AUDITORS = (
    AuditorView("auditor-1", "order of words", True, "supported", ""),
    AuditorView("auditor-2", "pieces of words", True, "supported", ""),
)


def state(number: int) -> str:
    return "dropped" if number == 41 else "stale" if number in (7, 8) else "supported"


def claims(text: str = "") -> tuple[ClaimView, ...]:
    return tuple(_claim(number, text) for number in range(1, 42))


def _claim(number: int, text: str) -> ClaimView:
    stale = state(number) == "stale"
    span = f"Bank {number} must not be read by more than {number} engines{text}."
    citation = CitationView(
        f"banks/{number % 5}.md", "limits", "Limits", span, "v2", "changed" if stale else "unchanged",
        f"Bank {number} must not be read by more than 99 engines." if stale else "",
        "failed" if stale else "passed", f"numbers: {number} became 99" if stale else "",
    )  # fmt: skip
    return ClaimView(
        number, "chip", "chip-book", "rule" if number % 2 else "limit", span, "", (citation,),
        "failed" if stale else "passed", AUDITORS, state(number), "its source is changed" if stale else "", "v1",
    )  # fmt: skip


def releases(text: str = "") -> tuple[ReleaseView, ...]:
    return (
        ReleaseView(1, "chip", f"chip-book{text}", "v1", "/books/v1", "", True, 6, 5, 1, 0, 4, 1, 20, 41),
        ReleaseView(2, "chip", f"chip-book{text}", "v2", "/books/v2", "v1", True, 7, 6, 1, 0, 5, 1, 22, 2),
    )


def passages(claim: int, text: str = "") -> tuple[PassageView, ...]:
    (citation,) = _claim(claim, text).citations
    before = ("What stands before it.",)
    return (PassageView(citation.doc, citation.section, citation.span, before, citation.span, ("What follows.",)),)


def toolchain_changes(now: float, text: str = "") -> tuple[ToolchainChangeView, ...]:
    """One, re-checked but for the claims."""
    return (
        ToolchainChangeView(
            1, now - 600, None, "rechecking", f"cc 1{text} is cc 2{text} now", "f1", "f2",
            {"rule": {"re_verified": 70, "rewritten": 5, "retired": 3, "carried_over": 1}}, {"claim": 40},
            (f"facts measured anew: 4{text}",),
        ),
    )  # fmt: skip
