"""Claims, sheets and their check as text and JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from app.onboarding.telling import CHANGES
from app.onboarding.verifying import Verified
from app.views import count
from knowledge.cheatsheet import Sheet
from store.knowledge_views import CitationView, ClaimView


def claims_json(views: Sequence[ClaimView]) -> dict[str, Any]:
    """{"claims": [...], "counts": {state: n}}."""
    return {"claims": [_claim(view) for view in views], "counts": dict(Counter(view.state for view in views))}


def _claim(view: ClaimView) -> dict[str, Any]:
    return {
        "id": view.id, "target": view.target, "book": view.book, "kind": view.kind, "text": view.text,
        "drafted": view.drafted, "citations": [_citation(one) for one in view.citations],
        "script_check": view.script_check,
        "auditors": [
            {
                "name": one.name, "method": one.method, "lexical_only": one.lexical_only, "verdict": one.verdict,
                "reason": one.reason,
            }
            for one in view.auditors
        ],
        "state": view.state, "reason": view.reason, "drawn_from": view.drawn_from,
    }  # fmt: skip


def _citation(view: CitationView) -> dict[str, Any]:
    return {
        "doc": view.doc, "section": view.section, "title": view.title, "span": view.span, "release": view.release,
        "change": view.change, "found": view.found,
    }  # fmt: skip


def claims_text(views: Sequence[ClaimView]) -> str:
    lines = list[str]()
    for view in views:
        first = view.citations[0]
        only = " (lexical only)" if all(one.lexical_only for one in view.auditors) else ""
        said = "; ".join(f"{one.name} {one.verdict}" for one in view.auditors)
        lines += [f"{view.id:5} {view.state:10} {view.kind:10} {view.text}"]
        lines += [f"      {first.doc}#{first.section}; script check {view.script_check}; {said}{only}"]
        lines += [f"      {view.reason}"] if view.reason else []
    counts = ", ".join(f"{count} {state}" for state, count in Counter(view.state for view in views).most_common())
    return "\n".join([*lines, f"{count(len(views), 'claim')}: {counts or 'none'}"])


def sheet_json(sheet: Sheet, size: int) -> dict[str, Any]:
    lines = [{"text": one.text, "state": one.state, "kind": one.kind, "source": one.source} for one in sheet.entries]
    return {
        "sheet": sheet.text, "characters": len(sheet.text), "size": size, "entries": lines,
        "left_out": sheet.left_out,
    }  # fmt: skip


def verified_json(found: Sequence[Verified]) -> dict[str, Any]:
    """{"holds", "claims", "passed", "books": [...]}."""
    return {
        "holds": all(one.holds for one in found), "claims": sum(one.claims for one in found),
        "passed": sum(one.claims - len(one.failed) for one in found), "books": [_verified(one) for one in found],
    }  # fmt: skip


def _verified(one: Verified) -> dict[str, Any]:
    kinds = Counter(change.kind for _, change in one.looked_up)
    return {
        "target": one.release.target, "book": one.release.book, "release": one.release.label,
        "folder": one.release.folder, "folder_state": one.folder_state, "claims": one.claims,
        "failed": [{"id": f.claim.id, "text": f.claim.text, "reason": f.reason} for f in one.failed],
        "damaged_sections": list(one.damaged),
        "looked_up": {"citations": len(one.looked_up), **{kind: kinds[kind] for kind in CHANGES}},
        "lost": [
            {
                "claim": cited.claim, "doc": cited.citation.document, "section": cited.citation.anchor,
                "span": cited.citation.span, "change": change.kind, "found": change.found, "reason": change.reason,
            }
            for cited, change in one.looked_up
            if change.kind in ("changed", "gone")
        ],
    }  # fmt: skip


def verified_text(found: Sequence[Verified]) -> str:
    return "\n".join(line for one in found for line in _verified_lines(one))


def _verified_lines(one: Verified) -> Iterator[str]:
    release = one.release
    yield (
        f"{release.target}: {release.book} {release.label}: {one.claims - len(one.failed)} of {one.claims} claims pass "
        f"the script check; {len(one.damaged)} sections damaged; folder {one.folder_state}"
    )
    for failed in one.failed:
        yield f"  failed: claim {failed.claim.id}: {failed.reason}: {failed.claim.text}"
    for place in one.damaged:
        yield f"  damaged: {place}"
    if one.looked_up:
        kinds = Counter(change.kind for _, change in one.looked_up)
        yield f"  {len(one.looked_up)} citations = {' + '.join(f'{kinds[kind]} {kind}' for kind in CHANGES)}"
    for cited, change in one.looked_up:
        if change.kind in ("changed", "gone"):
            place = f"{cited.citation.document}#{cited.citation.anchor}"
            yield f"  {change.kind}: claim {cited.claim}: {place}: {change.reason}"
