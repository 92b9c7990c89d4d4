"""Compiler output for a reader: root cause first, cut head and tail."""

import re
from typing import Final

HEAD: Final = 6000
TAIL: Final = 2000
_ERROR: Final = re.compile(r"^(?:[^\n:]*:\d+:(?:\d+:)? )?(?:fatal )?error: .*$", re.MULTILINE)


def text_of(raw: bytes) -> str:
    """Decoded and cut in the middle; the number of bytes left out stands there."""
    text = raw.decode(errors="replace")
    if len(text) <= HEAD + TAIL:
        return text
    return f"{text[:HEAD]}\n... {len(text) - HEAD - TAIL} characters left out ...\n{text[-TAIL:]}"


def root_cause(text: str) -> str:
    """The first error line, else the first line."""
    found = _ERROR.search(text)
    if found:
        return found.group(0).strip()
    return next((line.strip() for line in text.splitlines() if line.strip()), "the compiler failed without a word")
