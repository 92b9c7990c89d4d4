"""Functions and instructions of an object, from the text of objdump (x86-64, AT&T syntax)."""

import re
from dataclasses import dataclass, replace
from typing import Final

_FUNCTION: Final = re.compile(r"^[0-9a-f]{8,16} <(.+)>:$")
_LINE: Final = re.compile(r"^\s+([0-9a-f]+):\t(.+)$")
_SYMBOL: Final = re.compile(r" <.*>|[;\n].*")  # names of symbols are the author's words: no assembler shall read them
_TARGET: Final = re.compile(r"^[0-9a-f]+$")
_PREFIXES: Final = frozenset("lock bnd notrack data16 addr32 cs ds es fs gs ss".split())
_REPEATS: Final = ("rep", "repz", "repnz", "repe", "repne")
_PADDING: Final = frozenset("nop nopw nopl endbr64".split())


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction. operands: as written, the destination last. target: address of a direct jump or call."""

    address: int
    mnemonic: str
    operands: tuple[str, ...]
    target: int | None = None

    @property
    def text(self) -> str:
        """As an assembler reads it."""
        operands = (f"0x{self.target:x}",) if self.target is not None else self.operands
        return f"{self.mnemonic} {', '.join(operands)}".strip()

    @property
    def jumps(self) -> bool:
        return self.mnemonic.startswith(("j", "loop"))

    @property
    def calls(self) -> bool:
        return self.mnemonic.startswith("call")

    @property
    def opaque(self) -> bool:
        """How long it takes does not stand in its text: a call, or a string instruction that is repeated."""
        return self.calls or self.mnemonic.startswith(_REPEATS)


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    instructions: tuple[Instruction, ...]


def functions(dump: str) -> tuple[Function, ...]:
    """Every function of a disassembly in its order, without padding. dump: `objdump -d -w --no-show-raw-insn`."""
    found: list[tuple[str, list[Instruction]]] = []
    for line in dump.splitlines():
        header = _FUNCTION.match(line)
        if header is not None:
            found.append((header.group(1), []))
        elif found and (code := _LINE.match(line)) is not None:
            instruction = parse(int(code.group(1), 16), code.group(2))
            found[-1][1].extend([instruction] if instruction is not None else [])
    return tuple(Function(name, tuple(_framed(body))) for name, body in found)


def _framed(body: list[Instruction]) -> list[Instruction]:
    """With the slots of a frame told as the stack's: after `mov %rsp,%rbp` both registers name one place."""
    if not any(one.mnemonic == "mov" and one.operands == ("%rsp", "%rbp") for one in body):
        return body
    return [replace(one, operands=tuple(o.replace("(%rbp)", "(%rsp)") for o in one.operands)) for one in body]


def parse(address: int, text: str) -> Instruction | None:
    """`jne    20 <f+0x20>` at an address; None for padding."""
    words = [
        word
        for word in _SYMBOL.sub("", text.partition("#")[0]).split()
        if word not in _PREFIXES and not word.startswith("{")
    ]
    if not words or words[0] in _PADDING or words[:2] == ["xchg", "%ax,%ax"]:
        return None
    return _made(address, words)


def _made(address: int, words: list[str]) -> Instruction:
    if words[0] in _REPEATS and len(words) > 1:
        words = [" ".join(words[:2]), *words[2:]]
    mnemonic, written = words[0], " ".join(words[1:])
    if mnemonic.startswith(("j", "call", "loop")) and _TARGET.match(written) is not None:
        return Instruction(address, mnemonic, (), int(written, 16))
    return Instruction(address, mnemonic, tuple(_split(written)))


def _split(operands: str) -> list[str]:
    """At the commas outside parentheses."""
    parts, depth, start = [], 0, 0
    for index, letter in enumerate(operands):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(operands[start:index].strip())
            start = index + 1
    return [*parts, operands[start:].strip()] if operands else []
