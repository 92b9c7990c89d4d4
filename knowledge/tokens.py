"""Numbers, identifiers and words of a text, and whether they stand literally in another. Pure."""

import re
from typing import Final

NUMBER: Final = re.compile(r"(?<![\w.])(?:0[xX][0-9a-fA-F]+|\d[\d,]*(?:\.\d+)*(?:[eE][-+]?\d+)?)")
QUOTED: Final = re.compile(r"`([^`]+)`")
IDENTIFIER: Final = re.compile(
    r"\b(?:\w+(?:::|\.)\w[\w:.]*\w"  # a::b, a.b
    r"|\w*_\w+|[A-Za-z]+\d\w*|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Z]{2,}\w*)\b"
)
WORD: Final = re.compile(r"[^\W_]+(?:[_'’.,:/-]+[^\W_]+)*")
NEGATIONS: Final = frozenset(
    "not no never cannot neither nor without n't don't doesn't isn't aren't can't won't".split()
)
CONDITIONS: Final = frozenset("unless except only if when until provided otherwise while".split())
STOP_WORDS: Final = frozenset(
    "a an the of to in on at by for with and or as is are be been it its this that these those from into per than"
    " then so which where also has have had do does can may will".split()
)


def numbers(text: str) -> tuple[str, ...]:
    """Numbers as they are written, in order; digits inside of a name are none."""
    return tuple(str(found).rstrip(",") for found in NUMBER.findall(text))


def identifiers(text: str) -> tuple[str, ...]:
    """Names of code and hardware: what stands in backticks, and words with capitals inside, digits or underscores."""
    quoted = [found.strip() for found in QUOTED.findall(text) if found.strip()]
    rest = QUOTED.sub(" ", text)
    return tuple(dict.fromkeys((*quoted, *IDENTIFIER.findall(rest))))


def holds_number(text: str, number: str) -> bool:
    """64 does not stand in 640, 1.64 or 64,000."""
    return re.search(rf"(?<![\w.])(?<!\d,){re.escape(number)}(?!\d|[.,]\d)", text) is not None


def holds_identifier(text: str, name: str) -> bool:
    """As a whole name: `Fetch` does not stand in `FetchEngine`."""
    before = r"(?<!\w)" if re.match(r"\w", name) else ""
    after = r"(?!\w)" if re.search(r"\w\Z", name) else ""
    return re.search(before + re.escape(name) + after, text) is not None


def missing(claim: str, cited: str) -> tuple[str, ...]:
    """Numbers and identifiers of the claim that do not stand literally in the cited text."""
    lost = [number for number in numbers(claim) if not holds_number(cited, number)]
    return (*lost, *(name for name in identifiers(claim) if not holds_identifier(cited, name)))


def words(text: str) -> list[str]:
    """In lower case, without punctuation at their ends."""
    return [found.lower() for found in WORD.findall(text)]


def negations(text: str) -> int:
    return sum(word in NEGATIONS or word.endswith("n't") for word in words(text))
