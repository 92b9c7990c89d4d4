"""Functions of a program with their instructions and loops, from the text of PTX or of `nvdisasm -c`.

A loop is the stretch between a label and the last branch back to it. How often it turns is known where the PTX counts
in a register that begins with a number, is changed by one number, and is compared with a third.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kernels.targets.cuda.opcodes import Kind, of_ptx, of_sass, width_of_ptx, width_of_sass

Form = Literal["SASS", "PTX"]
_ENTRY: Final = re.compile(r"\.entry\s+([\w$%]+)[^{]*\{")
_LABEL: Final = re.compile(r"\s*[{}]?\s*([$A-Za-z_][\w$]*):(?!:)")
_PTX: Final = re.compile(r"[\s{}]*(?P<guard>@!?[%\w$]+\s+)?(?P<opcode>[a-z][\w.:]*)(?P<operands>.*)", re.DOTALL)
_FUNCTION: Final = re.compile(r"^\.text\.(\S+):$", re.MULTILINE)
_SASS_ROW: Final = re.compile(
    r"^(?P<label>\.L\w+):|^\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P[\dT]+\s+)?(?P<opcode>[A-Z][\w.]*)\s*(?P<operands>[^;]*);",
    re.MULTILINE,
)
_TARGET: Final = re.compile(r"`\((\.\w+)\)")
_SETP: Final = re.compile(r"setp\.(ne|lt|gt|eq|le|ge)\.[su]\d+")


@dataclass(frozen=True, slots=True)
class Instruction:
    """width: bytes that a thread moves, 0 for what moves none. guard: that it is only done under, of PTX."""

    opcode: str
    operands: tuple[str, ...]
    kind: Kind
    width: int = 0
    guard: str = ""


@dataclass(frozen=True, slots=True)
class Loop:
    """Instructions [begin, end) of the function. turns: None where that cannot be told."""

    begin: int
    end: int
    turns: int | None = None


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    form: Form
    body: tuple[Instruction, ...]
    loops: tuple[Loop, ...]


def of_ptx_text(text: str) -> dict[str, Function]:
    """Every entry point, by name."""
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    return {found[1]: _ptx_function(found[1], _block(plain, found.end())) for found in _ENTRY.finditer(plain)}


def _block(text: str, begin: int) -> str:
    """Up to the bracket that closes the one before `begin`; inline assembly has brackets of its own."""
    depth = 1
    for found in re.finditer(r"[{}]", text[begin:]):
        depth += 1 if found[0] == "{" else -1
        if not depth:
            return text[begin : begin + found.start()]
    return text[begin:]


def _ptx_function(name: str, text: str) -> Function:
    body: list[Instruction] = []
    labels: dict[str, int] = {}
    ends: dict[int, int] = {}
    for statement in text.split(";"):
        rest = statement
        while found := _LABEL.match(rest):
            labels[found[1]] = len(body)
            rest = rest[found.end() :]
        made = _ptx_instruction(rest)
        if made is None:
            continue
        body.append(made)
        if made.opcode.startswith("bra") and made.operands[-1] in labels:
            begin = labels[made.operands[-1]]
            ends[begin] = max(ends.get(begin, 0), len(body))
    loops = (Loop(begin, end, _turns(body, begin, end)) for begin, end in sorted(ends.items()))
    return Function(name, "PTX", tuple(body), tuple(loops))


def _ptx_instruction(text: str) -> Instruction | None:
    """None for a directive, or nothing."""
    found = _PTX.fullmatch(text)
    if found is None:
        return None
    opcode, operands = found["opcode"], found["operands"].strip()
    words = tuple(word.strip() for word in operands.split(",")) if operands else ()
    kind = of_ptx(opcode)
    moves = kind in ("global load", "global store", "shared load", "shared store", "local")
    return Instruction(opcode, words, kind, width_of_ptx(opcode) if moves else 0, (found["guard"] or "").strip())


def _turns(body: Sequence[Instruction], begin: int, end: int) -> int | None:
    """Of a loop that ends in `add r, r, step; setp.ne p, r, last; @p bra`, where r begins with a number."""
    branch = body[end - 1]
    inside = body[begin : end - 1]
    test = next((one for one in reversed(inside) if one.operands[:1] == (branch.guard.lstrip("@!"),)), None)
    if test is None or not _SETP.fullmatch(test.opcode) or branch.guard.startswith("@!"):
        return None
    register, last = test.operands[1], _number(test.operands[2])
    steps = [one for one in inside if one.operands[:1] == (register,)]
    first = _begins(body[:begin], register)
    if len(steps) != 1 or not steps[0].opcode.startswith("add.") or steps[0].operands[1] != register:
        return None
    step = _number(steps[0].operands[2])
    if last is None or first is None or step is None or step == 0:
        return None
    if (last - first) % step and test.opcode.startswith("setp.ne"):
        return None
    turns = -(-(last - first) // step)
    return turns if turns > 0 else None


def _begins(before: Sequence[Instruction], register: str) -> int | None:
    """The number that was moved into it last."""
    last = next((one for one in reversed(before) if one.operands[:1] == (register,)), None)
    return _number(last.operands[1]) if last is not None and last.opcode.startswith("mov.") else None


def _number(word: str) -> int | None:
    return int(word, 0) if re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)", word) else None


def of_sass_text(text: str) -> dict[str, Function]:
    """Every function of `nvdisasm -c`, by name; what stands behind the last EXIT is padding."""
    parts = _FUNCTION.split(text)
    return {name: _sass_function(name, part) for name, part in zip(parts[1::2], parts[2::2], strict=True)}


def _sass_function(name: str, text: str) -> Function:
    body: list[Instruction] = []
    labels: dict[str, int] = {}
    loops: set[Loop] = set()
    for row in _SASS_ROW.finditer(text):
        if row["label"]:
            labels[row["label"]] = len(body)
            continue
        to = labels.get(_target(row["operands"]) if row["opcode"].split(".")[0] == "BRA" else "")
        if row["opcode"] == "NOP" or to == len(body):  # the branch to itself behind the end
            continue
        body.append(_sass_instruction(row["opcode"], row["operands"].strip()))
        if to is not None:
            loops.add(Loop(to, len(body)))
    return Function(name, "SASS", tuple(body), tuple(sorted(loops, key=lambda loop: (loop.begin, loop.end))))


def _sass_instruction(opcode: str, operands: str) -> Instruction:
    kind = of_sass(opcode)
    moves = kind in ("global load", "global store", "shared load", "shared store", "local", "async copy")
    words = tuple(word.strip() for word in operands.split(",")) if operands else ()
    return Instruction(opcode, words, kind, width_of_sass(opcode) if moves else 0)


def _target(operands: str) -> str:
    """Of "`(.L_x_2)" the label."""
    found = _TARGET.search(operands)
    return str(found[1]) if found is not None else ""
