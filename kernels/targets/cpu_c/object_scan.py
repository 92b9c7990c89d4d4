"""Looks into a candidate's object file before it may be linked: whom it calls, what runs at load, how it is written.

Reads ELF through one run of `objdump` of binutils, which come with gcc. The disassembly is a linear sweep and can be
led astray by a determined author; the runner's system call filter does not depend on it.
"""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernels.targets.cpu_c.instructions import unwanted

ALLOWED_SYMBOLS: Final = re.compile(
    r"kw_parallel_for|kw_threads|kw_span|mem(cpy|move|set|cmp|chr)|__mem(cpy|move|set)_chk|__stack_chk_fail|__tls_get_addr"
    r"|_GLOBAL_OFFSET_TABLE_|__(div|mul|fix|float|extend|trunc)[a-z0-9]*|_ZGV[a-zA-Z0-9_]+|__[a-z0-9]+_finite"
    r"|(a?(cos|sin|tan)h?|atan2|exp|exp2|expm1|exp10|log|log2|log10|log1p|pow|sqrt|cbrt|hypot|erfc?|[lt]gamma|ceil|floor"
    r"|trunc|round(even)?|rint|l?l?round|l?l?rint|nearbyint|fmod|remainder|fabs|fma|fmax|fmin|fdim|copysign|ldexp|frexp"
    r"|modf|scalbl?n|logb|ilogb|nextafter|sincos)[fl]?"
)
OPENMP_SYMBOLS: Final = re.compile(r"GOMP_\w+|omp_\w+")
LOAD_TIME_SECTIONS: Final = (".init_array", ".fini_array", ".ctors", ".dtors", ".preinit_array", ".init", ".fini")
KNOWN_SECTIONS: Final = re.compile(
    r"\.(text|rodata|lrodata|data|ldata|bss|lbss|tdata|tbss|eh_frame|gcc_except_table|comment|note|group|gnu\.attributes"
    r"|ARM\.attributes|debug\w*)(\.[\w.$-]+)?"
)
CODE_SECTION: Final = re.compile(r"\.text(\..+)?")
SYSTEM_NAME: Final = re.compile(r"_init|_fini|_start|_ITM_\w+|__\w+|kw_\w+")  # whose definitions the loader would find
_EXECUTABLE_STACK: Final = re.compile(r"^ *\d+ \.note\.GNU-stack .*\bCODE\b", re.MULTILINE)
LARGE_STATE: Final = 64 << 10
TIMEOUT_S: Final = 20.0
_SECTION: Final = re.compile(r"^ *\d+ (\S.*?) +([0-9a-f]{8,16}) {2}[0-9a-f]{8,16} {2}[0-9a-f]{8,16} ", re.MULTILINE)
_GLOBAL: Final = re.compile(r"[gu!]......|.w.....")  # flags of a symbol
_SYMBOL: Final = re.compile(r"^[0-9a-f]{8,16} (.{7}) (\S+)\t[0-9a-f]+ (?:\.\w+ )?(\S+)$", re.MULTILINE)
_CODE: Final = "\nDisassembly of section "


class ScanFailed(Exception):
    """The object could not be read: it is not to be trusted."""


@dataclass(frozen=True, slots=True)
class Scan:
    """problems: reasons to refuse; findings: evidence that is only shown."""

    problems: tuple[str, ...]
    findings: tuple[str, ...]


def scan(path: Path, *, openmp: bool = False, also: frozenset[str] = frozenset()) -> Scan:
    """openmp: the contract lets the kernel start threads through OpenMP. also: functions of the pack's libraries.

    Raises: ScanFailed.
    """
    head, _, code = dump(path).partition(_CODE)
    sections = {name: int(size, 16) for name, size in _SECTION.findall(head)}
    refused, noted = unwanted(code)
    code_says = (f"contains the instruction {w}" for w in refused)
    problems = [*_symbols(head, openmp, also), *_sections(sections), *_stack(head), *code_says]
    return Scan(tuple(problems), (*_state(sections), *(f"contains the instruction {w}" for w in noted)))


def dump(path: Path) -> str:
    """Sections, symbols and disassembly, as objdump writes them. Raises: ScanFailed."""
    try:
        done = subprocess.run(
            ["objdump", "-h", "-t", "-d", "-w", "--no-show-raw-insn", path.name], cwd=path.parent, capture_output=True,
            text=True, errors="replace", timeout=TIMEOUT_S, check=False,
            env={"LC_ALL": "C", "PATH": "/usr/bin:/bin:/usr/local/bin"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise ScanFailed(f"the object is too large to be looked through in {TIMEOUT_S:g} s") from None
    if done.returncode or "SYMBOL TABLE:" not in done.stdout:
        raise ScanFailed(f"objdump cannot read the object: {done.stderr.strip()[:200]}")
    return done.stdout


def _symbols(head: str, openmp: bool, also: frozenset[str]) -> Iterator[str]:
    for flags, section, name in _SYMBOL.findall(head):
        allowed = name in also or bool(ALLOWED_SYMBOLS.fullmatch(name))
        allowed = allowed or (openmp and bool(OPENMP_SYMBOLS.fullmatch(name)))
        if section == "*UND*" and not allowed:
            yield f"calls {name}, which is outside the allow-list (libm, libmvec, mem*, the pool)"
        elif "i" in flags:
            yield f"{name} is an indirect function, which runs code at load time"
        elif section != "*UND*" and _GLOBAL.fullmatch(flags) and SYSTEM_NAME.fullmatch(name):
            yield f"defines {name}, a name of the system"
        elif flags.endswith("O") and CODE_SECTION.fullmatch(section):
            yield f"{name} is data among the code, which hides instructions"


def _sections(sections: dict[str, int]) -> Iterator[str]:
    for name in sections:
        if name.startswith(LOAD_TIME_SECTIONS):
            yield f"section {name} runs code at load time"
        elif not KNOWN_SECTIONS.fullmatch(name):
            yield f"section {name} is none that the compiler makes of a kernel"


def _stack(head: str) -> Iterator[str]:
    if _EXECUTABLE_STACK.search(head):
        yield "needs an executable stack: the address of a nested function that uses its surroundings is taken"


def _state(sections: dict[str, int]) -> Iterator[str]:
    named = (".data", ".bss", ".tbss", ".tdata", ".ldata", ".lbss")
    writable = sum(size for name, size in sections.items() if name.startswith(named) and ".rel.ro" not in name)
    if writable > LARGE_STATE:
        yield f"keeps {writable} bytes of writable state between calls"
