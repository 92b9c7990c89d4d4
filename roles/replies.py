"""What to make of an answer that came in words instead of tool calls. Pure."""

import re
from dataclasses import dataclass
from typing import Final

FENCE: Final = re.compile(r"^(?P<mark>`{3,}|~{3,})[ \t]*(?P<language>[\w+#.-]*)[^\n]*\n(?P<text>.*?)^(?P=mark)[ \t]*$",
                          re.MULTILINE | re.DOTALL)  # fmt: skip
LANGUAGES: Final = frozenset({"", "c", "h", "cpp", "c++"})
PARTS: Final = {
    "blocks": (re.compile(r"^(<{5,} ?SEARCH|>{5,} ?REPLACE)", re.MULTILINE), "search and replace blocks in words"),
    "diff": (re.compile(r"^@@ -\d|^--- \S.*\n\+\+\+ \S", re.MULTILINE), "a diff, whose line counts are not relied on"),
}
NOT_TAKEN: Final = "nothing was applied or judged; call edit, or write the whole file"


@dataclass(frozen=True, slots=True)
class Whole:
    """The answer holds one whole new source."""

    text: str


@dataclass(frozen=True, slots=True)
class Unusable:
    """Nothing can be taken from it. kind: one word for counting; reason: for the model and for the reader."""

    kind: str
    reason: str


def source_in(answer: str, entry: str) -> Whole | Unusable:
    """The one fenced source that defines the entry point, else why there is none. Line ends do not matter."""
    text = answer.replace("\r\n", "\n")
    found = list(FENCE.finditer(text))
    named = [one for one in found if one["language"].lower() in LANGUAGES]
    sources = [one["text"] for one in named if not _parts_in(one["text"])]
    whole = [one for one in sources if re.search(rf"\b{re.escape(entry)}\s*\(", one)]
    if len(whole) == 1:
        return Whole(whole[0])
    if len(whole) > 1:
        return Unusable("several", f"{len(whole)} fences with the entry point {entry}: which one is meant is unclear")
    if parts := _parts_in(text):
        return Unusable(parts, f"{PARTS[parts][1]}: {NOT_TAKEN}")
    if not found:
        return _without_fence(text)
    if not named:
        others = ", ".join(sorted({one["language"] for one in found}))
        return Unusable("language", f"a fence in {others}, but the file is C: nothing was taken from it")
    return Unusable("fragment", f"a fence without the entry point {entry}: a part is no file; use edit")


def _parts_in(text: str) -> str:
    """The kind of change that is written there instead of a file; "" when it is none."""
    return next((kind for kind, (pattern, _) in PARTS.items() if pattern.search(text)), "")


def _without_fence(text: str) -> Unusable:
    if re.search(r"^(```|~~~)", text, re.MULTILINE):
        return Unusable("cut_fence", "an unclosed fence: the answer was cut")
    return Unusable("prose", "words only: nothing was changed or judged")
