"""What to make of an answer that came in words instead of tool calls. Pure."""

import re
from dataclasses import dataclass
from typing import Final

FENCE: Final = re.compile(r"^(?P<mark>`{3,}|~{3,})[ \t]*(?P<language>[\w+#.-]*)[^\n]*\n(?P<text>.*?)^(?P=mark)[ \t]*$",
                          re.MULTILINE | re.DOTALL)  # fmt: skip
LANGUAGES: Final = frozenset({"", "c", "h", "cpp", "c++"})


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
    if not found:
        cut = "an unclosed fence: the answer was cut" if re.search(r"^(```|~~~)", text, re.MULTILINE) else ""
        return Unusable("cut_fence", cut) if cut else Unusable("prose", "words only: nothing was changed or judged")
    sources = [one["text"] for one in found if one["language"].lower() in LANGUAGES]
    if not sources:
        named = ", ".join(sorted({one["language"] for one in found}))
        return Unusable("language", f"a fence in {named}, but the file is C: nothing was taken from it")
    whole = [one for one in sources if re.search(rf"\b{re.escape(entry)}\s*\(", one)]
    if not whole:
        return Unusable("fragment", f"a fence without the entry point {entry}: a part is no file; use edit")
    if len(whole) > 1:
        return Unusable("several", f"{len(whole)} fences with the entry point {entry}: which one is meant is unclear")
    return Whole(whole[0])
