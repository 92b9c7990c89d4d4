"""CUDA C++ as the readers for C can take it: what only CUDA has becomes blanks of the same length; places stay."""

import re
from typing import Final

QUALIFIERS: Final = (
    "__global__", "__device__", "__host__", "__shared__", "__forceinline__", "__noinline__", "__inline_hint__",
    "__grid_constant__", "__restrict__", "__restrict", "constexpr",
)  # fmt: skip
CONSTANT: Final = re.compile(r"\b__constant__\b")
_QUALIFIER: Final = re.compile(rf"\b({'|'.join(QUALIFIERS)})(?!\w)")
_WITH_NUMBERS: Final = re.compile(r"\b__(launch_bounds|align|cluster_dims|maxnreg)__\s*\([^()]*(?:\([^()]*\)[^()]*)*\)")
_LINKAGE: Final = re.compile(r'\bextern\s+"C"')
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_CONSTEXPR: Final = re.compile(
    r"^[ \t]*(?:static[ \t]+|__device__[ \t]+|inline[ \t]+)*constexpr[ \t]+(?:unsigned[ \t]+)?\w+[ \t]+"
    r"(\w+)[ \t]*=[ \t]*([^;{}\n]+);",
    re.MULTILINE,
)
_SAID: Final = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+\w+[ \t]+[^\n]+|\bKW_(?:LAUNCH|SCRATCH)[ \t]*\([^;]*\)[ \t]*;", re.MULTILINE
)


def masked(source: str) -> str:
    """Qualifiers and attributes left out; what lies in constant memory is const."""
    for pattern in (_LINKAGE, _WITH_NUMBERS, _QUALIFIER):
        source = pattern.sub(blank, source)
    return CONSTANT.sub(lambda found: "const".ljust(len(found[0])), source)


def launch_lines(source: str) -> str:
    """The lines that say how it is launched, and the constants that they may name; everything else is blank.

    C++ is no language that the grammar for C follows, and these lines are none of it. A constexpr variable with a plain
    value counts as a macro.
    """
    source = _COMMENT.sub(blank, source)
    source = _CONSTEXPR.sub(_as_macro, source)
    kept = list(blank_text(source))
    for found in _SAID.finditer(source):
        kept[found.start() : found.end()] = found[0]
    return "".join(kept)


def blank(found: re.Match[str]) -> str:
    return blank_text(found[0])


def blank_text(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _as_macro(found: re.Match[str]) -> str:
    return f"#define {found[1]} ({found[2].strip()})"
