"""What an x86-64 instruction reads, writes and loads, by its text in AT&T syntax.

Registers are named by their full width: %eax and %al are `rax`, %xmm3 and %zmm3 are `v3`. A slot of the stack counts as
a register, because compilers keep pointers there. What is not known is told as read and written.
"""

import re
from dataclasses import dataclass
from typing import Final

from kernels.profiling.disassembly import Instruction

_REGISTER: Final = re.compile(r"%([a-z]+[a-z0-9]*)")
_MEMORY: Final = re.compile(r"^(?:%[cdefgs]s:)?(-?(?:0x)?[0-9a-f]*)\((%\w+)?(?:,(%\w+)(?:,([1248]))?)?\)")
_SUFFIX: Final = re.compile(r"^r(\d+)[dwb]?$")
_OLD: Final = {"a": "rax", "b": "rbx", "c": "rcx", "d": "rdx", "si": "rsi", "di": "rdi", "sp": "rsp", "bp": "rbp"}
_WRITES_NOTHING: Final = ("cmp", "test", "j", "push", "prefetch", "ucomis", "vucomis", "comis", "vcomis", "vptest",
                          "bt ", "ret", "kortest", "ktest", "vtest")  # fmt: skip
_ONLY_WRITES: Final = ("mov", "vmov", "lea", "set", "pop", "cvt", "vcvt", "kmov", "vbroadcast", "vpbroadcast", "tzcnt",
                       "lzcnt", "popcnt", "vextract", "vpextr", "vpmov")  # fmt: skip
_ZEROING: Final = ("xor", "sub", "pxor", "vpxor", "vxorps", "vxorpd", "vpxord", "vpxorq")
CALL_CLOBBERS: Final = frozenset({"rax", "rcx", "rdx", "rsi", "rdi", *(f"r{n}" for n in range(8, 12))})


@dataclass(frozen=True, slots=True)
class Address:
    """displacement(base, index, scale), in bytes."""

    displacement: int
    base: str
    index: str
    scale: int

    @property
    def registers(self) -> frozenset[str]:
        return frozenset(name for name in (self.base, self.index) if name and name != "rip")

    @property
    def slot(self) -> str:
        """The name of a slot of the stack; "" for other memory."""
        return f"slot{self.displacement}" if self.base == "rsp" and not self.index else ""


def register(word: str) -> str:
    """`eax` to `rax`, `r8d` to `r8`, `zmm3` to `v3`."""
    if word[:3] in ("xmm", "ymm", "zmm"):
        return f"v{word[3:]}"
    if (found := _SUFFIX.match(word)) is not None:
        return f"r{found.group(1)}"
    stem = word.lstrip("er") if len(word) == 3 else word
    return _OLD.get(stem) or _OLD.get(stem.rstrip("lhx")) or word


def address_of(operand: str) -> Address | None:
    """Of a memory operand; None for a register, an immediate, or an absolute address."""
    found = _MEMORY.match(operand)
    if found is None:
        return None
    shift, base, index, scale = found.groups()
    displacement = int(shift, 16) if shift not in ("", "-") else 0
    return Address(displacement, register(base[1:]) if base else "", register(index[1:]) if index else "",
                   int(scale or 1))  # fmt: skip


def is_vector(name: str) -> bool:
    return name.startswith(("v", "k")) and name[1:].isdigit()


def writes(instruction: Instruction) -> frozenset[str]:
    """Registers and slots that it changes."""
    if instruction.calls:
        return CALL_CLOBBERS
    if not instruction.operands or f"{instruction.mnemonic} ".startswith(_WRITES_NOTHING):
        return frozenset()
    names = {_destination(instruction.operands[-1])}
    if instruction.mnemonic.startswith("xchg"):
        names |= {_destination(operand) for operand in instruction.operands}
    if instruction.mnemonic.startswith(("mul", "div", "idiv")) or _wide_product(instruction):
        names |= {"rax", "rdx"}
    return frozenset(names - {""})


def reads(instruction: Instruction) -> frozenset[str]:
    """Registers and slots that its result rests on, those of addresses included."""
    operands = instruction.operands
    if len(operands) >= 2 and instruction.mnemonic.startswith(_ZEROING) and len(set(operands[:2])) == 1:
        return frozenset()
    found = {name for operand in operands[:-1] for name in _of(operand)}
    if operands:
        last = operands[-1]
        address = address_of(last)
        if address is not None:
            found |= address.registers
        if not _only_writes(instruction):
            found |= _of(last)
    return frozenset(found)


def loads(instruction: Instruction) -> tuple[Address, ...]:
    """Memory that it reads, slots of the stack and constants included."""
    name, operands = instruction.mnemonic, instruction.operands
    if name.startswith(("lea", "prefetch", "call", "j")) or not operands:
        return ()
    sources = operands if not _only_writes(instruction) or len(operands) == 1 else operands[:-1]
    found = (address_of(operand) for operand in sources)
    return tuple(address for address in found if address is not None)


def _only_writes(instruction: Instruction) -> bool:
    """Its destination is not read: a move, or one of three operands."""
    return instruction.mnemonic.startswith(_ONLY_WRITES) or len(instruction.operands) >= 3


def _wide_product(instruction: Instruction) -> bool:
    return instruction.mnemonic.startswith("imul") and len(instruction.operands) == 1


def _destination(operand: str) -> str:
    address = address_of(operand)
    if address is not None:
        return address.slot
    found = _REGISTER.match(operand)
    return register(found.group(1)) if found is not None else ""


def _of(operand: str) -> set[str]:
    address = address_of(operand)
    if address is not None and address.slot:
        return {address.slot}
    return {register(name) for name in _REGISTER.findall(operand)} - {"rip"}
