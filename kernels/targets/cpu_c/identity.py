"""Which machine code an object holds, whatever its author calls things, and whatever lies about that nobody reaches.

The hash covers every function that can be reached from the entry point, in the order in which it is first referred to,
and all data. Names, the order of functions, what fills the gaps between them, and functions that nothing refers to do
not count: with them one kernel could be sent in again and again as another one.
"""

import hashlib
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

TIMEOUT_S: Final = 60.0
_WORDS: Final = ("objdump", "-h", "-t", "-d", "-r", "-w", "--no-show-raw-insn")
_PART: Final = re.compile(r"^Disassembly of section (.+):$")
_RELOCATIONS: Final = re.compile(r"^RELOCATION RECORDS FOR \[(.+)\]:$")
_SECTION: Final = re.compile(r"^ *\d+ (\.\S+) +([0-9a-f]{8,16})  [0-9a-f]+  [0-9a-f]+  ([0-9a-f]{8,16}) ", re.MULTILINE)
_SYMBOL: Final = re.compile(r"^([0-9a-f]{8,16}) .{7} (\S+)\t[0-9a-f]+ (?:\.\w+ )?(\S+)$", re.MULTILINE)
_HEAD: Final = re.compile(r"^([0-9a-f]{8,16}) <(.+)>:$")
_LINE: Final = re.compile(r"^ +[0-9a-f]+:\t(.*)$")
_FIXED: Final = re.compile(r"\t[0-9a-f]+: (R_\w+)\s+(\S+)")
_DATA_FIXED: Final = re.compile(r"^([0-9a-f]{8,16}) (R_\w+)\s+(\S+)$")
_AT: Final = re.compile(r"\b[0-9a-f]+ <([^>]+?)(?:\+0x([0-9a-f]+))?>")
_NEAR: Final = re.compile(r"-?(?:0x)?[0-9a-f]+\(%rip\)(.*?)\s+# [0-9a-f]+ <([^>]+?)(?:\+0x([0-9a-f]+))?>$")
_PLACE: Final = re.compile(r"(.+?)([+-]0x[0-9a-f]+)")
_FILLING: Final = re.compile(r"(data16 |cs |ds )*(nop\w*\b.*|xchg +%ax,%ax|lea +0x0\(%rsi.*|int3)")
_CALLED: Final = re.compile(r"R_X86_64_(?:PC32|PLT32) (function \d+)\+-4")  # as if the assembler had known where it is
_SELF: Final = re.compile(r"\bself\+[0-9a-f]+")
_DATA: Final = re.compile(r"\.(l?rodata|l?data|tdata)(\..+)?")
_ZEROS: Final = re.compile(r"\.[lt]?bss(\..+)?")


@dataclass(slots=True)
class _Function:
    """lines: instructions and relocations as objdump prints them."""

    section: str
    start: int
    lines: list[str] = field(default_factory=list)


def machine_code_hash(path: Path, entry: str) -> str:
    """SHA-256 in hexadecimal digits. entry: name of the entry point."""
    done = subprocess.run(
        [*_WORDS, path.name], cwd=path.parent, capture_output=True, text=True, errors="replace", check=False,
        timeout=TIMEOUT_S, env={"LC_ALL": "C", "PATH": "/usr/bin:/usr/local/bin:/bin"},
    )  # fmt: skip
    said = [*_Code.of(done.stdout).canonical(entry), *_contents(path.read_bytes(), done.stdout)]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


def _contents(raw: bytes, dump: str) -> Iterable[str]:
    """What every section of data holds, and how much is zero at first."""
    for name, size, offset in sorted(_SECTION.findall(dump)):
        start = int(offset, 16)
        if _DATA.fullmatch(name):
            yield f"{name} {size} {hashlib.sha256(raw[start : start + int(size, 16)]).hexdigest()}"
        elif _ZEROS.fullmatch(name):
            yield f"{name} {size}"


@dataclass(slots=True)
class _Code:
    """functions by name; places: (section, offset) of every name that is defined; data: relocations of data; order:
    names in the order in which they were first referred to."""

    functions: dict[str, _Function] = field(default_factory=dict)
    places: dict[str, tuple[str, int]] = field(default_factory=dict)
    data: list[str] = field(default_factory=list)
    order: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, dump: str) -> "_Code":
        code = cls()
        for at, section, name in _SYMBOL.findall(dump):
            if not section.startswith("*"):
                code.places[name] = (section, int(at, 16))
        section, now = "", None
        for line in dump.splitlines():
            if part := (_PART.match(line) or _RELOCATIONS.match(line)):
                section, now = part[1], None
                code.data += [part[0]] if _DATA.fullmatch(section) else []
            elif head := _HEAD.match(line):
                now = code.functions[head[2]] = _Function(section, int(head[1], 16))
            elif now is not None:
                now.lines.append(line)
            elif line.strip() and _DATA.fullmatch(section):
                code.data.append(line)
        return code

    def canonical(self, entry: str) -> Iterable[str]:
        """What is hashed, line by line."""
        data = [self._datum(line) for line in self.data]
        roots = [entry] if entry in self.functions else list(self.functions)
        yield from (self._number(name) for name in roots)
        done = 0
        while done < len(self.order):
            name = self.order[done]
            done += 1
            yield from self._function(name)
        yield from data

    def _function(self, name: str) -> list[str]:
        found = [self._line(name, line) for line in self.functions[name].lines if line.strip()]
        while found and _FILLING.fullmatch(found[-1].strip()):
            found.pop()
        return found

    def _line(self, name: str, line: str) -> str:
        """One instruction, and what its relocations mean."""
        instruction = _LINE.match(line)
        if instruction is None:
            return line
        meant = [f"{kind} {self._place(target)}" for kind, target in _FIXED.findall(instruction[1])]
        text = _NEAR.sub(lambda near: f"{self._at(name, near[2], near[3])}{near[1]}", _FIXED.sub("", instruction[1]))
        text = _AT.sub(lambda at: self._at(name, at[1], at[2]), text)
        called = _CALLED.fullmatch(meant[0]) if len(meant) == 1 else None
        return _SELF.sub(f"{called[1]}+0", text) if called else " ".join([text, *meant])

    def _at(self, here: str, name: str, offset: str | None) -> str:
        """A reference within the code."""
        return f"{'self' if name == here else self._number(name)}+{offset or '0'}"

    def _number(self, name: str) -> str:
        if name not in self.functions:
            return name
        if name not in self.order:
            self.order.append(name)
        return f"function {self.order.index(name)}"

    def _datum(self, line: str) -> str:
        fixed = _DATA_FIXED.match(line)
        return f"{fixed[1]} {fixed[2]} {self._place(fixed[3])}" if fixed else line

    def _place(self, target: str) -> str:
        """What a relocation means: a function by its number, data by section and offset, all else by its name."""
        found = _PLACE.fullmatch(target)
        name, added = (found[1], int(found[2], 16)) if found else (target, 0)
        if name in self.functions:
            return f"{self._number(name)}+{added:x}"
        section, start = self.places.get(name, (name, 0))
        known = name in self.places
        return self._containing(section, start + added) or (f"{section}+{start + added:x}" if known else target)

    def _containing(self, section: str, offset: int) -> str:
        """The function of this section that lies around an offset, and where in it; "" without one."""
        starts = [(one.start, name) for name, one in self.functions.items() if one.section == section]
        before = [found for found in starts if found[0] <= max(offset, 0)]
        if not before:
            return ""
        start, name = max(before)
        return f"{self._number(name)}+{offset - start:x}"
