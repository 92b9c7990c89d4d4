"""Two auditors that compare words and understand nothing: one by the order of words, one by pieces of words. Pure.

They catch wordings that lost a condition, turned a negation or changed a number; they cannot tell whether a sentence is
right. Whatever shows their word says "lexical only".
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from knowledge.claims import AuditVerdict
from knowledge.tokens import CONDITIONS, NEGATIONS, STOP_WORDS, holds_number, negations, numbers, words

LENGTH: Final = 4
SUPPORTED, PARTLY, NEARER = 0.9, 0.6, 0.02
Verdict = tuple[AuditVerdict, str]


@dataclass(frozen=True, slots=True)
class WordOrder:
    """Aligns the words of the claim with those of the cited text: what was added, exchanged, left out."""

    name: str = "auditor-1"
    method: str = "order of words"
    lexical: bool = True

    def judge(self, claim: str, cited: Sequence[str], section: Sequence[str]) -> Verdict:
        """Looks at the cited text alone."""
        said, source = words(claim), words(" ".join(cited))
        if not said:
            return "unsupported", "it says nothing"
        steps = SequenceMatcher(None, source, said, autojunk=False).get_opcodes()
        added, lost = list[str](), list[list[str]]()
        for step, a, b, c, d in steps:
            old, new = source[a:b], said[c:d]
            if step == "equal":
                continue
            if wrong := _exchanged(old, new):
                return "contradicted", wrong
            added += [word for word in new if word not in STOP_WORDS and word not in source]
            gone = [word for word in old if word not in said]
            lost += [gone] if gone else []
        return _by_changes(added, lost, len(said))


def _exchanged(old: Sequence[str], new: Sequence[str]) -> str:
    """A number for another, or a negation that came or went on its own."""
    was, now = [w for w in old if w[0].isdigit()], [w for w in new if w[0].isdigit()]
    if was and now and not set(now) <= set(was):
        return f"says {' '.join(now)} where the text says {' '.join(was)}"
    turned = (set(old) ^ set(new)) & NEGATIONS
    if turned and len(old) <= 2 and len(new) <= 2:
        return f"{' '.join(old) or 'nothing'} became {' '.join(new) or 'nothing'}"
    return ""


def _by_changes(added: Sequence[str], lost: Sequence[Sequence[str]], length: int) -> Verdict:
    if added:
        verdict: AuditVerdict = "unsupported" if len(added) > length / 5 else "partly"
        return verdict, f"not in the text: {', '.join(added[:5])}"
    for stretch in lost:
        weighty = [word for word in stretch if word in CONDITIONS | NEGATIONS]
        if weighty:
            return "partly", f"left out: {' '.join(stretch[:12])}"
    return "supported", ""


@dataclass(frozen=True, slots=True)
class WordPieces:
    """Compares bags of four-letter pieces: with the cited text, and with every other sentence of its section."""

    name: str = "auditor-2"
    method: str = "pieces of words"
    lexical: bool = True

    def judge(self, claim: str, cited: Sequence[str], section: Sequence[str]) -> Verdict:
        text = " ".join(cited)
        said = _pieces(claim)
        share = sum((said & _pieces(text)).values()) / max(sum(said.values()), 1)
        if share < PARTLY:
            return "unsupported", _told(share)
        wrong = [number for number in numbers(claim) if not holds_number(text, number)]
        if wrong:
            return "contradicted", f"the text has no {', '.join(wrong)}"
        if negations(claim) > negations(text):
            return "contradicted", "it denies what the text does not deny"
        return self._within(claim, cited, share, section)

    def _within(self, claim: str, cited: Sequence[str], share: float, section: Sequence[str]) -> Verdict:
        text = " ".join(cited)
        kept, weighty = words(claim), [word for word in words(text) if word in CONDITIONS | NEGATIONS]
        lost = [word for word in dict.fromkeys(weighty) if weighty.count(word) > kept.count(word)]
        if lost:
            return "partly", f"it leaves out: {', '.join(lost)}"
        said = _pieces(claim)
        own = max(_cosine(said, _pieces(one)) for one in (*cited, text))
        for other in section:
            if other not in text and _cosine(said, _pieces(other)) > own + NEARER:
                return "partly", f"another sentence is nearer: {other[:60]}"
        return ("supported", "") if share >= SUPPORTED else ("partly", _told(share))


def _told(share: float) -> str:
    return f"{100 * share:.0f} % of its pieces are in the text"


@lru_cache(maxsize=4096)
def _pieces(text: str) -> Counter[str]:
    """Pieces of four characters inside of each word, its ends marked; the order of words does not count."""
    found = Counter[str]()
    for word in words(text):
        padded = f"<{word}>"
        found.update(padded[i : i + LENGTH] for i in range(max(len(padded) - LENGTH + 1, 1)))
    return found


def _cosine(a: Counter[str], b: Counter[str]) -> float:
    both = sum(count * b[gram] for gram, count in a.items() if gram in b)
    return both / math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()) or 1)
