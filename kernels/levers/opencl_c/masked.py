"""OpenCL C as the C grammar can read it: what only OpenCL has becomes blanks of the same length; places stay."""

import re
from typing import Final

ATTRIBUTES: Final = (
    "reqd_work_group_size", "work_group_size_hint", "vec_type_hint", "opencl_unroll_hint", "always_inline", "noinline",
    "aligned", "packed", "unused",
)  # fmt: skip
QUALIFIERS: Final = (
    "__kernel", "kernel", "__global", "global", "__local", "local", "__private", "private",
)  # fmt: skip
CONSTANT: Final = re.compile(r"\b(__)?constant\b")
_QUALIFIER: Final = re.compile(rf"\b({'|'.join(QUALIFIERS)})\b")
_ATTRIBUTE: Final = re.compile(
    rf"__attribute__\s*\(\(\s*(?:__)?({'|'.join(ATTRIBUTES)})(?:__)?\s*(?:\([^()]*\))?\s*\)\)"
)


def masked(source: str) -> str:
    """Qualifiers of address spaces and functions, and the attributes that a kernel may have, left out; what lies in
    constant memory is const."""
    source = _QUALIFIER.sub(_blank, _ATTRIBUTE.sub(_blank, source))
    return CONSTANT.sub(lambda found: "const".ljust(len(found[0])), source)


def _blank(found: re.Match[str]) -> str:
    return "".join("\n" if letter == "\n" else " " for letter in found[0])
