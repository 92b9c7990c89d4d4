"""Looks into what PoCL made of a kernel, before it may be loaded: whom it calls, what runs at load, how it is written.

One shared object for each function and size of groups. They hold the function itself and what it uses of PoCL's
library in one section of code; the disassembly is a linear sweep, on which the runner's filters do not depend.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kernels.targets.cpu_c.instructions import unwanted
from kernels.targets.cpu_c.object_scan import LOAD_TIME_SECTIONS, Scan, dump

ALLOWED: Final = re.compile(r"mem(cpy|move|set)|_pocl_memfill\w*")
KNOWN_SECTIONS: Final = re.compile(
    r"\.(note\.gnu\.\S+|gnu\.\S+|hash|dyn(sym|str|amic)|text|l?rodata\S*|data\.rel\.ro|eh_frame(_hdr)?|rela?\.(dyn|plt)"
    r"|plt(\.\w+)?|got(\.plt)?|comment)"
)
_SECTION: Final = re.compile(r"^ *\d+ (\S+) +[0-9a-f]{8,16} {2}[0-9a-f]{8,16} {2}[0-9a-f]{8,16} ", re.MULTILINE)
_UNDEFINED: Final = re.compile(r"\*UND\*\s+[0-9a-f]+\s+(?:\.\w+ )?(\S+)$", re.MULTILINE)
_PRINTS: Final = re.compile(r"\b__pocl_printf\w*")


def scan(path: Path) -> Scan:
    """Raises: ScanFailed."""
    text = dump(path)
    head, _, code = text.partition("\nDisassembly of section ")
    refused, noted = unwanted(code)
    problems = [*_sections(head), *_symbols(head), *(f"contains the instruction {word}" for word in refused)]
    return Scan(tuple(problems), tuple(f"contains the instruction {word}" for word in noted))


def _sections(head: str) -> Iterator[str]:
    for name in _SECTION.findall(head):
        if name.startswith(LOAD_TIME_SECTIONS):
            yield f"section {name} runs code at load time"
        elif not KNOWN_SECTIONS.fullmatch(name):
            yield f"section {name} is none that the compiler makes of a kernel: it may keep state between calls"


def _symbols(head: str) -> Iterator[str]:
    if _PRINTS.search(head):
        yield "prints: a kernel has nobody to say anything to"
    for name in _UNDEFINED.findall(head):
        if not ALLOWED.fullmatch(name):
            yield f"calls {name}, which is outside the allow-list of a kernel"
