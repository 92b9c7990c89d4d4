"""Options of clBuildProgram: which a candidate may bring, and what they make of the pack's flags."""

import re
from collections.abc import Sequence
from typing import Final

ALLOWED: Final = re.compile(
    r"-cl-(mad-enable|no-signed-zeros|unsafe-math-optimizations|finite-math-only|fast-relaxed-math|opt-disable"
    r"|single-precision-constant|strict-aliasing)|-D[A-Za-z_]\w*(=[A-Za-z0-9_.+-]+)?"
)
"""OpenCL 1.2, section 5.6.4, without what flushes denormals (-cl-denorms-are-zero), names files or hides
warnings."""
STANDARD: Final = ("-cl-std=CL1.2",)
STRICT: Final = ("-cl-opt-disable",)


def refused(flags: Sequence[str]) -> str | None:
    """The first option that is not allowed, None when all are."""
    return next((flag for flag in flags if not ALLOWED.fullmatch(flag)), None)


def defines(flags: Sequence[str]) -> tuple[str, ...]:
    """Of a pack's compiler flags those that mean the same here."""
    return tuple(flag for flag in flags if flag.startswith("-D"))
