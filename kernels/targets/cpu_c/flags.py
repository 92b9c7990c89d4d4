"""Which compiler flags a candidate may bring: code generation only, nothing that names files or changes the grader."""

import re
from collections.abc import Sequence
from typing import Final

ALLOWED: Final = re.compile(
    r"-O[0-3sgz]?|-Ofast|-m[a-z0-9.-]+(=[A-Za-z0-9_.,+-]+)?|-f[a-z0-9-]+(=[A-Za-z0-9_.,-]+)?"
    r"|--param=[a-z0-9-]+=\d+|-D[A-Za-z_][A-Za-z0-9_]*(=[A-Za-z0-9_.+-]+)?"
)
REFUSED: Final = re.compile(
    r"-f(no-)?(plugin|sanitize|profile|dump|lto|instrument|stack-usage|diagnostics|openmp|openacc|use-|"
    r"whole-program|auto-profile|branch-probabilities|coverage|test-coverage|callgraph|save-|ident|record-gcc|"
    r"working-directory|file-prefix|debug-prefix|macro-prefix|canon-prefix|split-stack|pic|PIC|pie|PIE|compare-debug|"
    r"self-test|module|pch|preprocessed|directives-only|working|checking|time-report|mem-report|opt-info.*=|"
    r"[a-z-]*charset|leading-underscore|asm|search-include|max-include|patchable|pack-struct|short-|"
    r"fixed-|call-used-|call-saved-|pcc-struct|reg-struct|stack-limit|"
    r"offload|report-bug|wpa|ltrans|resolution|tls-model|sso-struct|dbg|syntax-only|visibility).*"
    r"|-m(32|x32|16|musl|android|no-mmx-regs|call2nops|ms-abi|abi|sysv|preferred-stack-boundary|stackrealign).*"
)
OPENMP: Final = "-fopenmp"
MEANING: Final = re.compile(
    r"-D.*|-fwrapv|-f(un)?signed-char|-fno-strict-aliasing|-fno-strict-overflow|-m(sse|avx|fma|f16c|bmi|popcnt)[a-z0-9.]*"
)


def refused(flags: Sequence[str], *, openmp: bool = False) -> str | None:
    """The first flag that is not allowed, None when all are. openmp: the contract allows OpenMP."""
    return next((f for f in flags if not _fits(f, openmp)), None)


def meaning(flags: Sequence[str]) -> tuple[str, ...]:
    """Those that say what the source means, not how it is compiled."""
    return tuple(flag for flag in flags if MEANING.fullmatch(flag))


def _fits(flag: str, openmp: bool) -> bool:
    if flag == OPENMP:
        return openmp
    return bool(ALLOWED.fullmatch(flag)) and not REFUSED.fullmatch(flag)
