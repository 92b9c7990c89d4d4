"""Compiler output for a reader: root cause first, cut head and tail."""

import re
from typing import Final

HEAD: Final = 6000
TAIL: Final = 2000
_CAUSES: Final = (
    re.compile(r"^(?!collect2: )(?:[^\n]*?: )?(?:fatal |internal compiler )?error: .*$", re.MULTILINE),
    re.compile(r"^.*(?:undefined reference to|multiple definition of|cannot find) .*$", re.MULTILINE),
    re.compile(r"^.*(?:out of memory|File too large|limit exceeded|failed|truncated).*$", re.MULTILINE),
)


def text_of(raw: bytes) -> str:
    """Decoded and cut in the middle; the number of characters left out stands there."""
    text = raw.decode(errors="replace")
    if len(text) <= HEAD + TAIL:
        return text
    return f"{text[:HEAD]}\n... {len(text) - HEAD - TAIL} characters left out ...\n{text[-TAIL:]}"


def root_cause(text: str) -> str:
    """The first error line, else what the linker lacks, else the first line."""
    for cause in _CAUSES:
        if found := cause.search(text):
            return found.group(0).strip()
    return next((line.strip() for line in text.splitlines() if line.strip()), "the compiler failed without a word")
