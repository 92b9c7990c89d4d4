"""Reads the PTX that nvcc makes: entry points, and what a kernel must not have, before ptxas makes machine code of it.

PTX is plain text without macros and inclusions, and inline assembly of the source stands in it as it will be assembled:
what is not here does not run. The cubin is made of this very text.
"""

import re
from collections.abc import Iterator
from typing import Final

_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ENTRY: Final = re.compile(r"\.entry\s+([\w$%]+)")
_EXTERNAL: Final = re.compile(r"\.extern\s+\.func\s+(?:\([^)]*\)\s*)?([\w$%]+)")
_GLOBAL: Final = re.compile(r"^\s*(?:\.(?:visible|extern|weak|common)\s+)*\.global\b([^=;\n]*)", re.MULTILINE)
_NAME: Final = re.compile(r"([\w$%]+)\s*(?:\[[^\]]*\]\s*)*$")
_CLOCK: Final = re.compile(r"%(?:clock(?:64|_hi)?|globaltimer(?:_lo|_hi)?|pm\d+(?:_64)?|gridid|dynamic_smem_base)\b")
_FORBIDDEN: Final = re.compile(
    r"(?<![\w.%$])(brkpt|pmevent|tex|tld4|txq|suld|sust|sured|suq|istypep|alloca|stacksave|stackrestore)(?=[.\s;])"
)
_MEANING: Final = {
    "vprintf": "prints: a kernel has nobody to say anything to", "malloc": "takes memory from the device's heap",
    "free": "gives memory back to the device's heap",
    "__assertfail": "asserts: a kernel answers, and what is wrong the referee sees",
}  # fmt: skip


def entries(ptx: str) -> frozenset[str]:
    """Names of the kernels, as they are linked."""
    return frozenset(_ENTRY.findall(_COMMENT.sub("", ptx)))


def problems(ptx: str) -> Iterator[str]:
    """Reasons to refuse, each once.

    A variable that nothing names but its own line, as headers have, keeps no state; one with a $ is the compiler's own.
    """
    text = _COMMENT.sub("", ptx)
    for name in dict.fromkeys(_EXTERNAL.findall(text)):
        yield _MEANING.get(name, f"calls {name}, which is outside of the kernel: the device's runtime is not linked")
    for found in _GLOBAL.finditer(text):
        named = _NAME.search(found[1].strip())
        name = "a variable" if named is None else named[1]
        if len(re.findall(rf"(?<![\w$%]){re.escape(name)}(?![\w$%])", text)) > 1 and "$" not in name:
            kept = "a variable in global memory, which keeps state between calls: __constant__ or KW_SCRATCH"
            yield f"{_short(name)} is {kept}"
    for word in dict.fromkeys(_CLOCK.findall(text)):
        yield f"reads {word}: a kernel may not tell its calls apart by a clock or a counter"
    for word in dict.fromkeys(_FORBIDDEN.findall(text)):
        yield f"contains the instruction {word}"


def _short(mangled: str) -> str:
    """`_ZZ2mvE5table` to `table`: the last name in it."""
    if not mangled.startswith("_Z"):
        return mangled
    names = [mangled[at.end() : at.end() + int(at[0])] for at in re.finditer(r"\d+", mangled)]
    return next((name for name in reversed(names) if re.fullmatch(r"[A-Za-z_]\w*", name)), mangled)
