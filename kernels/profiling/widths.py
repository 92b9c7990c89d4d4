"""How many bytes an x86-64 instruction loads, by its text in AT&T syntax."""

import re
from typing import Final

from kernels.profiling.disassembly import Instruction

VECTOR: Final = {"z": 64, "y": 32, "x": 16}
_SUFFIX: Final = {"b": 1, "w": 2, "l": 4, "q": 8}
_ELEMENTS: Final = re.compile(r"\{1to(\d+)\}")
_EXTENDS: Final = re.compile(r"^v?pmov[sz]x([bwdq])([wdq])$")
_BROADCAST: Final = re.compile(r"^v?p?broadcast(?:[fi]?(\d+)x?(\d*)|m?[bw]2?([bwdq])|(ss|sd|[bwdq]))$")
_WORD: Final = {"b": 1, "w": 2, "d": 4, "q": 8, "ss": 4, "sd": 8}
_HALVES: Final = frozenset({"vcvtph2ps", "vcvtps2pd", "cvtps2pd", "vcvtdq2pd", "cvtdq2pd"})
_FIXED: Final = {"movd": 4, "movq": 8, "movss": 4, "movsd": 8, "movddup": 8, "movlps": 8, "movhps": 8, "movlpd": 8,
                 "movhpd": 8, "insertf128": 16, "inserti128": 16, "insertf32x4": 16, "inserti32x4": 16,
                 "insertf64x4": 32, "inserti64x4": 32, "insertf64x2": 16, "inserti64x2": 16, "insertf32x8": 32,
                 "inserti32x8": 32, "pinsrb": 1, "pinsrw": 2, "pinsrd": 4, "pinsrq": 8, "insertps": 4}  # fmt: skip
_MOVE: Final = re.compile(r"^mov[sz]([bwl])[wlq]?$")
_SCALAR: Final = re.compile(r"^(?!v?p)[a-z0-9]+(s[sd])[lq]?$")


def loaded_bytes(instruction: Instruction) -> int:
    """Bytes of its memory operand; 0 when they cannot be told."""
    name, operands = instruction.mnemonic, instruction.operands
    whole = max((VECTOR[n] for n in re.findall(r"%([xyz])mm", " ".join(operands))), default=0)
    if (found := _ELEMENTS.search(" ".join(operands))) is not None:
        return whole // int(found.group(1))
    if (found := _MOVE.match(name)) is not None:
        return _SUFFIX[found.group(1)]
    return _vector_bytes(name, whole) if whole else _general_bytes(name, operands)


def _vector_bytes(name: str, whole: int) -> int:
    if (found := _EXTENDS.match(name)) is not None:
        return whole * _WORD[found.group(1)] // _WORD[found.group(2)]
    if (found := _BROADCAST.match(name)) is not None:
        return _broadcast_bytes(found)
    if name in _HALVES:
        return whole // 2
    fixed = _FIXED.get(name.removeprefix("v"))
    if fixed is not None:
        return fixed
    scalar = _SCALAR.match(name) if whole == VECTOR["x"] else None
    return _WORD[scalar.group(1)] if scalar is not None else whole


def _broadcast_bytes(found: "re.Match[str]") -> int:
    size, count, mask, word = found.groups()
    if size is not None:
        return int(size) * int(count or 1) // 8
    return _WORD[word or mask]


def _general_bytes(name: str, operands: tuple[str, ...]) -> int:
    """By the register beside the memory operand, else by the suffix."""
    for operand in reversed(operands):
        if operand.startswith("%"):
            return _register_bytes(operand[1:])
    return _SUFFIX.get(name[-1], 0)


def _register_bytes(register: str) -> int:
    if register[0] == "k":
        return 8
    if register[1:2].isdigit():  # r8 .. r15
        return {"d": 4, "w": 2, "b": 1}.get(register[-1], 8)
    if register[0] == "r":
        return 8
    if register[0] == "e":
        return 4
    return 1 if register[-1] in "lh" else 2
