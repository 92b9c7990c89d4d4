"""Flags of a candidate: which it may bring, and which of the two compilers they are for.

nvcc makes PTX of CUDA C++, ptxas makes machine code of PTX. Flags are written as nvcc takes them; those of ptxas, also
behind `-Xptxas=`, go to it. Source: `nvcc --help` and `ptxas --help` of CUDA 13.0. Nothing that names files, hides
warnings or changes the architecture is allowed. What they do to arithmetic, they do to the candidate's own alone, whose
values are checked.
"""

import re
from collections.abc import Sequence
from typing import Final

_FRONT: Final = re.compile(
    r"-D[A-Za-z_]\w*(=[A-Za-z0-9_.+-]+)?|-?-fmad=(true|false)|-?-use_fast_math|-?-extra-device-vectorization"
    r"|-?-expt-relaxed-constexpr|-?-std=c\+\+(14|17|20)|-?-(prec-div|prec-sqrt|ftz)=(true|false)"
)
_BACK: Final = re.compile(
    r"-?-maxrregcount=\d{1,3}|-?-(def-load-cache|dlcm)=(ca|cg|cv|cs)|-?-(def-store-cache|dscm)=(wb|cg|cs|wt)"
    r"|-O[0-3]|-?-allow-expensive-optimizations=(true|false)|-?-opt-level=[0-3]"
)
PASSED: Final = re.compile(r"(?:-Xptxas|--ptxas-options)=(.+)")
STRICT_FRONT: Final = ("-fmad=false", "-prec-div=true", "-prec-sqrt=true", "-ftz=false")
STRICT_BACK: Final = ("-O0",)
STANDARD: Final = ("-std=c++17",)


def refused(flags: Sequence[str]) -> str | None:
    """The first flag that is not allowed, None when all are."""
    return next((flag for flag in flags if not (_FRONT.fullmatch(flag) or _of_ptxas(flag))), None)


def front(flags: Sequence[str]) -> tuple[str, ...]:
    """For nvcc."""
    return tuple(flag for flag in flags if _FRONT.fullmatch(flag))


def back(flags: Sequence[str]) -> tuple[str, ...]:
    """For ptxas, as it spells them."""
    return tuple(word for flag in flags if (word := _of_ptxas(flag)))


def _of_ptxas(flag: str) -> str:
    """The flag as ptxas takes it, "" when it is none of its."""
    passed = PASSED.fullmatch(flag)
    word = str(passed[1]) if passed is not None else flag
    if not _BACK.fullmatch(word):
        return ""
    short = word.lstrip("-")
    return word if short.startswith(("O", "dlcm", "dscm")) else f"--{short}"
