"""What became of a citation in a newer release: unchanged, moved, changed or gone. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final, Literal

from knowledge.book.formats import plain
from knowledge.book.index import BookIndex, Placed, Statement
from knowledge.book.scan import FORMATS
from knowledge.book.values import fold
from knowledge.citations import Citation
from knowledge.tokens import numbers, words

ChangeKind = Literal["unchanged", "moved", "changed", "gone"]
KINDS: Final[tuple[ChangeKind, ...]] = ("unchanged", "moved", "changed", "gone")
NEAR_HERE, NEAR_ELSEWHERE = 0.6, 0.75  # share of words in the same order, in its own document and in others
SHORT_SPAN: Final = 25  # characters; a shorter span stands in other documents by chance
SHORT_STATEMENT: Final = 5  # words; likewise
BEST: Final = 5
SAME_BOOK: Final = 0.3  # share of sections that two releases of one book have in common


@dataclass(frozen=True, slots=True)
class Change:
    """document, anchor: where it stands now, or stood last when it is gone. found: the text that stands there when it
    changed; reason: what differs."""

    kind: ChangeKind
    document: str
    anchor: str
    found: str = ""
    reason: str = ""


def same_book(old: frozenset[tuple[str, str]], new: frozenset[tuple[str, str]]) -> bool:
    """Two folders are releases of one book when they share enough documents and section anchors."""
    return len(old & new) >= SAME_BOOK * min(len(old), len(new)) > 0


class ReleaseChange:
    """Looks citations of an older release up in a newer one. What stood in the old one already is not what a citation
    became."""

    def __init__(self, old: BookIndex, new: BookIndex) -> None:
        self.new = new
        self._known = {fold(statement.source) for one in old.placed for statement in one.statements}

    def look_up(self, citation: Citation) -> Change:
        here = self.new.of(citation)
        if here is not None and fold(citation.span) in here.folded:
            return Change("unchanged", citation.document, citation.anchor)
        moved = self._moved(citation)
        if moved is not None:
            text = f"from {citation.document}#{citation.anchor}"
            return Change("moved", moved.document, moved.section.anchor, reason=text)
        near = self._near(citation)
        if near is None:
            what = "its section is not there" if here is None else "nothing in its section resembles it"
            return Change("gone", citation.document, citation.anchor, reason=what)
        return Change("changed", near.document, near.anchor, near.source, _difference(shown(citation), near.plain))

    def _moved(self, citation: Citation) -> Placed | None:
        """The nearest place of the span: its document first, then a section of its name."""
        found = self.new.holding(citation.span)
        own = [one for one in found if one.document == citation.document]
        named = [one for one in found if one.section.anchor == citation.anchor]
        far = found if len(fold(citation.span)) >= SHORT_SPAN else []
        return next(iter((*own, *named, *far)), None)

    def _near(self, citation: Citation) -> Statement | None:
        """The statement that it most likely became."""
        old = words(shown(citation))
        own = [one for one in self._fresh if one.document == citation.document]
        near = [one for one in own if one.anchor == citation.anchor]
        if (found := _best(old, near, NEAR_HERE)) is not None:
            return found
        far = self._fresh if len(old) >= SHORT_STATEMENT else ()
        return _best(old, own, NEAR_HERE) or _best(old, far, NEAR_ELSEWHERE)

    @cached_property
    def _fresh(self) -> tuple[Statement, ...]:
        every = (statement for one in self.new.placed for statement in one.statements)
        return tuple(one for one in every if fold(one.source) not in self._known)


def shown(citation: Citation) -> str:
    """Its span as a reader sees it; the format is that of the document's suffix."""
    return plain(FORMATS.get(PurePosixPath(citation.document).suffix.lower(), "text"), citation.span)


def _best(old: Sequence[str], statements: Sequence[Statement], least: float) -> Statement | None:
    bag = set(old)
    rated = sorted(((_overlap(bag, set(words(one.plain))), i) for i, one in enumerate(statements)), reverse=True)
    tried = [statements[i] for share, i in rated[:BEST] if share >= least / 2]
    ratio = {one: SequenceMatcher(None, old, words(one.plain), autojunk=False).ratio() for one in tried}
    found = max(tried, key=lambda one: ratio[one], default=None)
    return found if found is not None and ratio[found] >= least else None


def _overlap(a: set[str], b: set[str]) -> float:
    return len(a & b) / max(len(a | b), 1)


def _difference(old: str, new: str) -> str:
    """Numbers first: they are what a reader must not take over."""
    was, now = numbers(old), numbers(new)
    lost, came = [n for n in was if n not in now], [n for n in now if n not in was]
    if lost or came:
        return f"numbers: {', '.join(lost) or 'none'} became {', '.join(came) or 'none'}"
    lost_words = [word for word in words(old) if word not in words(new)]
    came_words = [word for word in words(new) if word not in words(old)]
    if not (lost_words or came_words):
        return "punctuation or order"
    return f"words: -{' '.join(lost_words[:8])} +{' '.join(came_words[:8])}"
