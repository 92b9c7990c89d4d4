"""The border for text: what agents, compilers and candidates print may hold anything."""

import math
from typing import Any


def clean(text: str) -> str:
    """The text as SQLite and a reader can take it: NUL becomes U+2400, a lone surrogate its escape. Control sequences
    stay: they are evidence, and whoever draws them escapes them."""
    if "\0" in text:
        text = text.replace("\0", "\u2400")
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def clean_deep(value: Any) -> Any:
    """A JSON value with every string cleaned and every number that JSON lacks written as a string."""
    match value:
        case str():
            return clean(value)
        case float() if not math.isfinite(value):
            return str(value)
        case dict():
            return {clean(str(key)): clean_deep(inner) for key, inner in value.items()}
        case list() | tuple() | set() | frozenset():
            return [clean_deep(inner) for inner in value]
        case None | bool() | int() | float():
            return value
        case _:
            return clean(str(value))


def clip(text: str, limit: int) -> str:
    """At most `limit` characters; the middle is left out and its size noted."""
    if len(text) <= limit:
        return text
    keep = max(limit - 40, 2)
    head = keep * 2 // 3
    note = f" [... {len(text) - keep} characters left out ...] "
    return text[:head] + note + text[len(text) - (keep - head) :]
