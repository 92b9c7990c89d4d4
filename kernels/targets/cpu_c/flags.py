"""Which compiler flags a candidate may bring: code generation only, nothing that names files or changes the grader."""

import re
from collections.abc import Sequence
from typing import Final

ALLOWED: Final = re.compile(
    r"-O[0-3s]|-Ofast|-m[a-z0-9.-]+(=[A-Za-z0-9_.,+-]+)?|-f[a-z0-9-]+(=[A-Za-z0-9_.,-]+)?|--param=[a-z0-9-]+=\d+"
    r"|-D[A-Za-z_][A-Za-z0-9_]*(=[A-Za-z0-9_.+-]+)?"
)
REFUSED: Final = re.compile(
    r"-f(plugin|sanitize|profile|dump|lto|instrument|stack-usage|diagnostics|openmp|openacc|use-linker|whole-program"
    r"|auto-profile|branch-probabilities|coverage|test-coverage|callgraph|save-|ident|record-gcc|working-directory"
    r"|file-prefix|debug-prefix|macro-prefix|split-stack|pic|PIC|pie|PIE|no-pic|no-PIC).*|-m(32|x32|16|musl|android).*"
)


def refused(flags: Sequence[str]) -> str:
    """The first flag that is not allowed, "" when all are."""
    return next((f for f in flags if not ALLOWED.fullmatch(f) or REFUSED.fullmatch(f)), "")
