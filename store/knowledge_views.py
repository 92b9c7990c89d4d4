"""What a screen or a command gets of books and claims: plain frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class CitationView:
    """doc, section: where the span stands in `release`; change: since the release before, "" when there is none. found:
    what stands there now when it changed."""

    doc: str
    section: str
    title: str
    span: str
    release: str
    change: str
    found: str
    script_check: str
    reason: str


@dataclass(frozen=True, slots=True)
class AuditorView:
    """lexical_only: it compared words and understood nothing."""

    name: str
    method: str
    lexical_only: bool
    verdict: str
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A claim, its newest citations. state: unaudited, supported, partly, dropped, stale. auditors: of its wording."""

    id: int
    target: str
    book: str
    kind: str
    text: str
    drafted: str
    citations: tuple[CitationView, ...]
    script_check: str
    auditors: tuple[AuditorView, ...]
    state: str
    reason: str
    drawn_from: str


@dataclass(frozen=True, slots=True)
class PassageView:
    """The cited text, and what stands before and after it in its section, as a reader sees them."""

    doc: str
    section: str
    span: str
    before: tuple[str, ...]
    cited: str
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnreadView:
    doc: str
    section: str
    kind: str
    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class DocumentView:
    """One file of a release. state: queued, read, claimed (its claims are drawn), not_read with its reason. claims:
    how many were drawn from it, dropped ones included."""

    path: str
    kind: str
    state: str
    reason: str
    listed: bool | None
    sections: int
    claims: int


@dataclass(frozen=True, slots=True)
class ReleaseView:
    """brain: who drew its claims. calls, tokens, usd: requests to models for it, and what they took or may have taken.
    files = read + not_read + waiting. listed, unlisted: files that the table of contents names and does not name;
    None when there is none. claims, changes: counts by state and kind."""

    id: int
    target: str
    book: str
    label: str
    folder: str
    previous: str
    done: bool
    files: int
    read: int
    not_read: int
    waiting: int
    listed: int | None
    unlisted: int | None
    sections: int
    citations: int
    unread: tuple[UnreadView, ...] = ()
    documents: tuple[DocumentView, ...] = ()
    claims: dict[str, int] = field(default_factory=dict)
    changes: dict[str, int] = field(default_factory=dict)
    brain: str = "offline"
    calls: int = 0
    tokens: int = 0
    usd: float = 0.0


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """One kept analysis. record: as `knowledge baseline --json` gives it."""

    target: str
    fingerprint: str
    pack: str
    kernel: str
    at: float
    record: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"{self.pack}/{self.kernel}"


@dataclass(frozen=True, slots=True)
class SkillView:
    """One strategy skill. origin: shipped, or of the workspace. body: Markdown."""

    name: str
    description: str
    kernel_types: tuple[str, ...]
    targets: tuple[str, ...]
    levers: tuple[str, ...]
    unlikely: tuple[str, ...]
    origin: str
    file: str
    body: str
