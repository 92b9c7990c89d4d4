"""Looks into a candidate's object file before it may be linked: whom it calls, what runs at load, how it is written.

Reads ELF through `objdump` and `nm` of binutils, which come with gcc.
"""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ALLOWED_SYMBOLS: Final = re.compile(
    r"kw_parallel_for|kw_threads|kw_span|mem(cpy|move|set|cmp|chr)|__mem(cpy|move|set)_chk|__stack_chk_fail"
    r"|_GLOBAL_OFFSET_TABLE_|__(div|mul|fix|float|extend|trunc)[a-z0-9]*|_ZGV[a-zA-Z0-9_]+"
    r"|(a?(cos|sin|tan)h?|atan2|exp|exp2|expm1|exp10|log|log2|log10|log1p|pow|sqrt|cbrt|hypot|erfc?|[lt]gamma|ceil|floor|trunc"
    r"|l?l?round|l?l?rint|nearbyint|fmod|remainder|fabs|fma|fmax|fmin|fdim|copysign|ldexp|frexp|modf|scalbl?n|logb|ilogb"
    r"|nextafter|sincos)[fl]?"
)
FORBIDDEN_CODE: Final = re.compile(
    r"\b(syscall|sysenter|int\s+\$?0x80|rdtscp?|rdpmc|v?ldmxcsr|fldcw|fldenv|frstor|xrstors?|fxrstor|wrpkru|wrfsbase|wrgsbase"
    r"|svc|msr\s+fpcr)\b"
)
LOAD_TIME_SECTIONS: Final = (".init_array", ".fini_array", ".ctors", ".dtors", ".preinit_array", ".init", ".fini")
LARGE_STATE: Final = 256 << 10
TIMEOUT_S: Final = 20.0
_SECTION: Final = re.compile(r"^\s*\d+\s+(\S+)\s+([0-9a-f]+)\s", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Scan:
    """problems: reasons to refuse; findings: evidence that is only shown."""

    problems: tuple[str, ...]
    findings: tuple[str, ...]


def scan(path: Path) -> Scan:
    """Raises: FileNotFoundError when binutils is missing, subprocess.TimeoutExpired."""
    sections = {name: int(size, 16) for name, size in _SECTION.findall(_run("objdump", "-h", path))}
    problems = [*_symbols(path), *_load_time(sections), *_code(path)]
    return Scan(tuple(problems), tuple(_state(sections)))


def _run(tool: str, flag: str, path: Path) -> str:
    done = subprocess.run(
        [tool, flag, str(path)], capture_output=True, text=True, errors="replace", timeout=TIMEOUT_S, check=False,
        env={"LC_ALL": "C", "PATH": "/usr/bin:/bin:/usr/local/bin"},
    )  # fmt: skip
    return done.stdout


def _symbols(path: Path) -> Iterator[str]:
    for line in _run("nm", "-a", path).splitlines():
        kind, name = line[17:18] or line.split()[0], line.split()[-1]
        if kind in "Uwv" and not ALLOWED_SYMBOLS.fullmatch(name):
            yield f"calls {name}, which is outside the allow-list (libm, libmvec, mem*, the pool)"
        elif kind == "i":
            yield f"{name} is an indirect function, which runs code at load time"


def _load_time(sections: dict[str, int]) -> Iterator[str]:
    for name in sections:
        if name.startswith(LOAD_TIME_SECTIONS):
            yield f"section {name} runs code at load time"


def _code(path: Path) -> Iterator[str]:
    seen: set[str] = set()
    for found in FORBIDDEN_CODE.finditer(_run("objdump", "-d", path)):
        word = found.group(1)
        if word not in seen:
            seen.add(word)
            yield f"contains the instruction {word} (system call, timer or mode change)"


def _state(sections: dict[str, int]) -> Iterator[str]:
    writable = sum(size for name, size in sections.items() if name.startswith((".data", ".bss", ".tbss", ".tdata")))
    if writable > LARGE_STATE:
        yield f"keeps {writable} bytes of writable state between calls"
