"""Instructions that a kernel has no use for, found in objdump's disassembly (x86-64 AT&T syntax, aarch64)."""

import re
from typing import Final

_LINE: Final = re.compile(r"^\s+[0-9a-f]+:\t(.+)$", re.MULTILINE)
_PREFIXES: Final = frozenset(
    "lock rep repz repnz repe repne bnd notrack data16 addr32 cs ds es fs gs ss rex rex.W xacquire xrelease".split()
)
REFUSED: Final[dict[str, str]] = {
    "system call": "syscall sysenter int sysret svc hvc smc",
    "return to anywhere": "iret iretq iretw sysexit uiret",
    "timer": "rdtsc rdtscp rdpmc rdpru umwait tpause mwait mwaitx monitorx",
    "mode change": (
        "ldmxcsr vldmxcsr xrstor xrstor64 xrstors xrstors64 fxrstor fxrstor64 wrpkru xsetbv "
        "wrfsbase wrgsbase setssbsy incsspd incsspq rstorssp"
    ),
}
NOTED: Final[dict[str, str]] = {
    "x87 mode, checked after every call": "fldcw fldenv frstor",
    "cache control": "clflush clflushopt clwb cldemote clzero wbinvd wbnoinvd invd",
    "identification": "cpuid rdpid",
    "random numbers": "rdrand rdseed",
    "transactions": "xbegin xabort",
}
_REFUSED: Final[dict[str, str]] = {word: why for why, words in REFUSED.items() for word in words.split()}
_NOTED: Final[dict[str, str]] = {word: why for why, words in NOTED.items() for word in words.split()}
_SYSTEM_REGISTERS: Final = re.compile(r"\b(fpcr|cntv?p?ct\w*|pm\w+_el0|tpidr\w*)\b")


def unwanted(disassembly: str) -> tuple[list[str], list[str]]:
    """(refused, noted): each word once, with its reason, in order of appearance."""
    refused: dict[str, None] = {}
    noted: dict[str, None] = {}
    for line in _LINE.findall(disassembly):
        word = _mnemonic(line)
        if word in _REFUSED:
            refused[f"{word} ({_REFUSED[word]})"] = None
        elif word in _NOTED:
            noted[f"{word} ({_NOTED[word]})"] = None
        elif word in ("msr", "mrs") and (found := _SYSTEM_REGISTERS.search(line)):
            refused[f"{word} {found.group(1)} (timer or mode change)"] = None
    return list(refused), list(noted)


def _mnemonic(line: str) -> str:
    for word in line.split():
        if word not in _PREFIXES:
            return word
    return ""
