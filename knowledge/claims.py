"""Claims: short statements about a target, each with the spans it rests on, and how one is settled. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from knowledge.book.values import Section
from knowledge.citations import Citation, ScriptCheck

ClaimKind = Literal["rule", "limit", "definition", "table"]
AuditVerdict = Literal["supported", "partly", "unsupported", "contradicted"]
ClaimState = Literal["unaudited", "supported", "partly", "dropped", "stale"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim before it is checked. text: its wording; literal: the cited sentence as a reader sees it."""

    kind: ClaimKind
    text: str
    citations: tuple[Citation, ...]
    literal: str


@dataclass(frozen=True, slots=True)
class Audit:
    """One auditor's word on one wording. lexical: it compared words and understood nothing."""

    auditor: str
    method: str
    lexical: bool
    wording: str
    verdict: AuditVerdict
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """A claim after script check and audits. drafted: its first wording when it was rewritten, else "". reason: why it
    was dropped or rewritten, or what is left open. at_once: fully supported as it was drafted."""

    kind: ClaimKind
    text: str
    citations: tuple[Citation, ...]
    state: ClaimState
    check: ScriptCheck
    audits: tuple[Audit, ...]
    drafted: str = ""
    reason: str = ""
    at_once: bool = field(default=False)


class Auditor(Protocol):
    """Says whether cited text supports a statement. Brains that understand text implement it with `lexical` false."""

    @property
    def name(self) -> str: ...

    @property
    def method(self) -> str: ...

    @property
    def lexical(self) -> bool: ...

    def judge(self, claim: str, cited: Sequence[str], section: Sequence[str]) -> tuple[AuditVerdict, str]:
        """cited: the quoted spans; section: sentences of the sections they stand in; both as a reader sees them.
        Returns the verdict and its reason."""
        ...


class Reader(Protocol):
    """Draws claims from sections. `auditors` look at them in this order."""

    @property
    def name(self) -> str: ...

    @property
    def auditors(self) -> Sequence[Auditor]: ...

    def draft(self, document: str, kind: str, section: Section) -> list[Draft]:
        """kind: the document's format."""
        ...


Check = Callable[[str, Sequence[Citation]], ScriptCheck]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one claim is held against. cited, section: as in `Auditor.judge`."""

    check: Check
    cited: Sequence[str]
    section: Sequence[str]


def settle(draft: Draft, auditors: Sequence[Auditor], evidence: Evidence) -> Settled:
    """Kept as drafted when the script check passes and all auditors say supported; else reworded to the literal
    sentence and looked at again; what then fails the script check, or an auditor calls unsupported or contradicted, is
    dropped."""
    first = _look(draft, draft.text, auditors, evidence)
    if first.state == "supported":
        return first
    if draft.literal == draft.text:
        return first if first.state == "partly" else _dropped(first)
    second = _look(draft, draft.literal, auditors, evidence)
    whole = Settled(
        draft.kind, draft.literal, draft.citations, second.state, second.check, (*first.audits, *second.audits),
        drafted=draft.text, reason=second.reason or first.reason,
    )  # fmt: skip
    return whole if second.state in ("supported", "partly") else _dropped(whole)


def _look(draft: Draft, wording: str, auditors: Sequence[Auditor], evidence: Evidence) -> Settled:
    check = evidence.check(wording, draft.citations)
    audits = tuple(_audit(auditor, wording, evidence) for auditor in auditors)
    verdicts = {audit.verdict for audit in audits}
    state: ClaimState = "supported"
    if not check.passed or verdicts & {"unsupported", "contradicted"}:
        state = "dropped"
    elif "partly" in verdicts:
        state = "partly"
    reason = check.reason or next((f"{a.auditor}: {a.reason}" for a in audits if a.verdict != "supported"), "")
    return Settled(
        draft.kind, wording, draft.citations, state, check, audits, reason=reason, at_once=state == "supported"
    )


def _audit(auditor: Auditor, wording: str, evidence: Evidence) -> Audit:
    verdict, reason = auditor.judge(wording, evidence.cited, evidence.section)
    return Audit(auditor.name, auditor.method, auditor.lexical, wording, verdict, reason)


def _dropped(claim: Settled) -> Settled:
    return Settled(
        claim.kind, claim.text, claim.citations, "dropped", claim.check, claim.audits, claim.drafted, claim.reason
    )
