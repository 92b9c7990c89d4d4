"""A claim as a row, and as a page with the passage that it rests on. Pure."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from app.views import NOTHING, Line, Tone, columns, wrap, wrapped
from store.knowledge_views import CitationView, ClaimView, PassageView, ReleaseView
from store.toolchain_views import ToolchainChangeView

STATE_SIGNS: Final = {"supported": "+", "partly": "~", "unaudited": ".", "stale": "!", "dropped": "-"}
STATE_TONES: Final[dict[str, Tone]] = {
    "supported": "good", "partly": "", "unaudited": "accent", "stale": "warn", "dropped": "dim",
}  # fmt: skip
STATES: Final = tuple(STATE_SIGNS)
CHANGE_TONES: Final[dict[str, Tone]] = {"unchanged": "good", "moved": "", "changed": "warn", "gone": "warn"}


def claim_columns(width: int) -> list[tuple[str, int]]:
    chosen = [("state", 11), ("kind", 10)]
    if width >= 100:
        chosen += [("target", 10), ("document", 28)]
    used = sum(size + 1 for _, size in chosen)
    return [*chosen, ("claim", max(8, width - used - 1))]


def claim_title(width: int) -> Line:
    return columns((title, size, "dim") for title, size in claim_columns(width))


def claim_row(claim: ClaimView, width: int) -> Line:
    tone = STATE_TONES.get(claim.state, "")
    cells: dict[str, tuple[str, Tone]] = {
        "state": (f"{STATE_SIGNS.get(claim.state, ' ')} {claim.state}", tone),
        "kind": (claim.kind, "dim"),
        "target": (claim.target, "dim"),
        "document": (claim.citations[0].doc if claim.citations else NOTHING, "dim"),
        "claim": (claim.text, ""),
    }
    return columns((cells[title][0], size, cells[title][1]) for title, size in claim_columns(width))


def counts(claims: Sequence[ClaimView]) -> str:
    """ "453 supported, 12 stale"."""
    found = Counter(claim.state for claim in claims)
    return ", ".join(f"{found[state]} {state}" for state in STATES if found[state]) or "none"


def books_line(releases: Sequence[ReleaseView], width: int) -> list[Line]:
    """One line for the newest release of each book: what of it was read."""
    newest = {(one.target, one.book): one for one in releases}
    texts = [
        f"{one.book} {one.label} for {one.target}: {one.files} files = {one.read} read + {one.not_read} not read"
        f"{'' if one.done else ' (not finished)'}"
        for one in newest.values()
    ]
    return wrapped("; ".join(texts), width)


def changes_line(changes: Sequence[ToolchainChangeView]) -> list[Line]:
    """The newest change of the toolchain: what became of all that was known before; what changed, behind it."""
    if not changes:
        return []
    last = changes[-1]
    tone: Tone = "warn" if last.state == "rechecking" else ""
    state = "re-checked" if last.state == "done" else "re-check under way"
    told = "; ".join([last.said, *last.notes, last.text])
    return [((f"toolchain changed, {state}: ", "dim"), (told, tone))]


def claim_page(claim: ClaimView, passages: Sequence[PassageView], width: int) -> list[Line]:
    """The claim, what was checked, and each cited passage with its surroundings; cited text is marked with ">"."""
    sign, tone = STATE_SIGNS.get(claim.state, " "), STATE_TONES.get(claim.state, "")
    lines: list[Line] = wrapped(claim.text, width, "strong")
    lines.append(((f"{sign} {claim.state}", tone), (f"   {claim.kind} of {claim.book} for {claim.target}", "dim")))
    lines += wrapped(claim.reason, width, "warn" if claim.state == "stale" else "dim")
    if claim.drafted:
        lines += wrapped(f"first wording: {claim.drafted}", width)
    lines += wrapped(f"script check {claim.script_check}; {_auditors(claim)}", width)
    shown = {(one.doc, one.section, one.span): one for one in passages}
    for citation in claim.citations:
        lines += [(), *_citation(citation, shown.get((citation.doc, citation.section, citation.span)), width)]
    return lines


def _auditors(claim: ClaimView) -> str:
    said = [f"{one.name} ({one.method}): {one.verdict}" for one in claim.auditors]
    only = " - lexical only" if all(one.lexical_only for one in claim.auditors) else ""
    return f"{'; '.join(said)}{only}" if said else "no auditor yet"


def _citation(citation: CitationView, passage: PassageView | None, width: int) -> list[Line]:
    lines: list[Line] = [((f"-- {citation.doc}#{citation.section} ({citation.release})", "dim"),)]
    if citation.change:
        tone = CHANGE_TONES.get(citation.change, "")
        lines += wrapped(f"{citation.change} since the release before {citation.reason}".rstrip(), width, tone)
    if passage is None or citation.change in ("changed", "gone"):
        lines += _marked(citation.span, width)
        if citation.found:
            lines += [(("now:", "warn"),), *_marked(citation.found, width)]
        return lines
    for block in passage.before:
        lines += wrapped(block, width)
    lines += _marked(passage.cited, width)
    for block in passage.after:
        lines += wrapped(block, width)
    return lines


def _marked(text: str, width: int) -> list[Line]:
    return [(("> ", "accent"), (row, "strong")) for row in wrap(text, max(20, width - 2))]
