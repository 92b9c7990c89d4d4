"""Which sentences of a book state something about the target, found by their words. Pure."""

import re
from typing import Final

from knowledge.claims import ClaimKind
from knowledge.tokens import numbers

RULE: Final = re.compile(
    r"\b(?:must|shall|may not|may only|cannot|can not|can only|never|illegal|invalid|forbidden|prohibited|disallowed"
    r"|undefined behaviou?r|(?:is|are) (?:not|only) (?:allowed|permitted|supported|valid|legal)|(?:not|un)supported"
    r"|requires?|(?:is|are) required|do not|does not support|avoid|should(?: not)?|has to|have to|needs? to be)\b",
    re.IGNORECASE,
)
UNIT: Final = re.compile(
    r"\d[\d,.]*[\s-]?(?:[kKMGT]i?B(?:/s)?|B(?:/s|/cycle)?|[kMGT]?Hz|[µun]?s|ms|bits?|bytes?|cycles?|flits?|lanes?|banks?"
    r"|slices?|rows?|columns?|entries|elements?|ports?|cores?|clusters?|threads?|registers?|chips?|channels?|ways?"
    r"|stages?|W|TOPS|TFLOPS|GFLOPS|FLOPS|%|×|x)(?![\w])"
)
BOUND: Final = re.compile(
    r"\b(?:at most|at least|up to|no more than|no less than|fewer than|less than|more than|greater than|maximum|minimum"
    r"|limit(?:ed|s)?|exceeds?|between|multiples? of|exactly|aligned|capacity|bandwidth|latency|peak)\b",
    re.IGNORECASE,
)
DEFINITION: Final = re.compile(
    r"(?:The |An? )?[A-Z`][^,;:]{1,60}? (?:is|are) (?:an? |the |one of )|"
    r"(?:The |An? )?[A-Z`][^,;:]{1,60}? (?:means|denotes|refers to|consists of|stands for|is called|holds|stores"
    r"|provides|converts|specifies|represents|supports|performs|controls) "
)
POINTING: Final = re.compile(
    r"(?:It|Its|This|These|They|Their|Such|That|Those|Both|Here|There|Otherwise|Then|Doing so|The former|The latter"
    r"|In (?:this|that|both|each|such)|If so|When so|So|But|And|Or|Neither|Either)\b"
)
NO_FACT: Final = re.compile(
    r"^(?:For (?:example|instance)|E\.g\.|Suppose|Consider|Example|Imagine|Let |Let's|See |Figure|Recall|Assume|Given"
    r"|Why|Next|First|Second|Finally|Now|We |You |With `)"
    r"|\b(?:following|(?:example|figure|table|diagram|code|listing|snippet|section|list)s? (?:below|above)|below|above"
    r"|this (?:page|section|chapter|guide|example|book|tutorial|document|case)|in the example|we (?:will|can|now)"
    r"|see \w+|would"
    r"|for (?:example|instance)|e\.g\.)\b",
    re.IGNORECASE,
)
CONNECTIVE: Final = re.compile(
    r"(?:However|Therefore|Thus|Hence|Consequently|Additionally|Moreover|Furthermore|In addition|Note that|Also"
    r"|As a result|In general|Generally|Specifically|In particular|Accordingly|In practice|Importantly|Similarly),? "
)
ASIDE: Final = re.compile(r"\s*\((?:see|cf\.?|for details|details)[^)]*\)", re.IGNORECASE)
TAIL: Final = re.compile(r"(?:,? (?:which|because|so that|since|whereas|thereby)\b|;| — | – )")
STRONG: Final = re.compile(r"\b(?:must|shall|may not|(?:not|un)(?: )?(?:supported|allowed|permitted))\b", re.IGNORECASE)
SHORTEN_ABOVE, LEAST_KEPT, LONGEST, FEWEST_WORDS = 160, 60, 400, 4


def kind_of(sentence: str, *, in_example: bool) -> ClaimKind | None:
    """What a plain sentence states; None when it states nothing that holds beyond its place. in_example: it speaks of
    one example, so that only its prohibitions hold elsewhere."""
    if len(sentence) > LONGEST or len(sentence.split()) < FEWEST_WORDS:
        return None
    if sentence.rstrip("*_\"' ").endswith(("?", ":")) or NO_FACT.search(sentence):
        return None
    if (STRONG if in_example else RULE).search(sentence):
        return "rule"
    if in_example:
        return None
    if numbers(sentence) and (UNIT.search(sentence) or BOUND.search(sentence)):
        return "limit"
    return "definition" if DEFINITION.match(sentence) else None


def points_back(sentence: str) -> bool:
    """It begins with a word that only the sentence before explains."""
    return POINTING.match(sentence) is not None


def shortened(sentence: str) -> str:
    """Without a leading connective, remarks to see elsewhere and, when it is long, its last clause."""
    text = ASIDE.sub("", sentence)
    if begin := CONNECTIVE.match(text):
        text = text[begin.end() :]
        text = text[:1].upper() + text[1:]
    if len(text) > SHORTEN_ABOVE and (cut := TAIL.search(text, LEAST_KEPT)):
        kept = text[: cut.start()].rstrip()
        text = f"{kept}." if kept.count("(") == kept.count(")") else text
    return text
