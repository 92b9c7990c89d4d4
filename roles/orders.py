"""What code can take from a message in words when no model reads it: names of levers, and whole sources. Pure."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from roles.replies import Whole, source_in

HEADER: Final = re.compile(r"\s*to:[ \t]*(\S+)[ \t]*(?:\n|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Orders:
    """kernels: that it is about. levers: named in it. sources: by kernel, whole ones in a fence."""

    kernels: tuple[str, ...]
    levers: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def any(self) -> bool:
        return bool(self.levers or self.sources)


def orders_in(text: str, entries: Mapping[str, str], levers: Iterable[str], recipient: str = "") -> Orders:
    """entries: entry point by kernel. The kernels are those named, the recipient among them, else all."""
    named = [kernel for kernel in entries if kernel == recipient or _names(text, kernel)]
    kernels = tuple(named or entries)
    sources: dict[str, str] = {}
    for kernel in kernels:
        found = source_in(text, entries[kernel])
        if isinstance(found, Whole):
            sources[kernel] = found.text
    return Orders(kernels, tuple(lever for lever in levers if _names(text, lever)), sources)


def recipient_in(text: str) -> str:
    """What a first line `to: NAME` says; "" without one."""
    found = HEADER.match(text)
    return str(found.group(1)) if found else ""


def without_header(text: str) -> str:
    """The words below that line."""
    return HEADER.sub("", text, count=1).strip()


def _names(text: str, word: str) -> bool:
    """Whether the word stands there; blanks and hyphens are as good as its underscores."""
    pattern = re.escape(word).replace("_", r"[_\- ]")
    return re.search(rf"(?<![\w-]){pattern}(?![\w-])", text, re.IGNORECASE) is not None
