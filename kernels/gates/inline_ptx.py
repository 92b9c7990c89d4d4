"""Inline PTX of a CUDA source: which is allowed, and the source without it.

Tensor cores and asynchronous copies are reached by it, so that it is read and not refused. It must be plain strings of
instructions: no directive but the declaration of registers, no clock, no counter. What comes out of the compiler is
looked at once more, see `kernels/targets/cuda/ptx.py`.
"""

import re
from collections.abc import Iterator
from typing import Final

from kernels.gates.c_rules import Refusal
from kernels.gates.c_tokens import Token, tokens
from kernels.gates.c_words import ASSEMBLY
from kernels.targets.cuda.language import blank_text

REGISTERS: Final = re.compile(r"\.(reg|pred|[busf](8|16|32|64|128)|f16x2|bf16|bf16x2)")
_DIRECTIVE: Final = re.compile(r"(?:^|[;{}\s])(\.\w+)")
_SPECIAL: Final = re.compile(r"%%?(clock\w*|globaltimer\w*|pm\d+\w*|gridid|envreg\d+|dynamic_smem_base)")
_REFUSED: Final = re.compile(r"(?<![\w.])(brkpt|pmevent|trap|exit|call|brx|ret|alloca)(?![\w])")
_QUALIFIERS: Final = frozenset({"volatile", "__volatile__"})
_ESCAPES: Final = {r"\n": "\n", r"\t": "\t"}


def without(source: str) -> tuple[str, Refusal | None]:
    """The source with its inline assembly blank, and the first that is not allowed. source: with its lines joined."""
    row = tokens(source)
    kept, refusal = source, None
    for i, token in enumerate(row):
        if token.text not in ASSEMBLY:
            continue
        group = _statement(row, i)
        if group is None:
            return kept, Refusal("inline_assembly", f"line {token.line}: {token.text} without brackets is not allowed")
        begin, end = token.at, group[-1].at + 1
        kept = kept[:begin] + blank_text(kept[begin:end]) + kept[end:]
        refusal = refusal or next(_faults(token, group), None)
    return kept, refusal


def _statement(row: list[Token], i: int) -> list[Token] | None:
    """The tokens in the brackets of `asm volatile (...)`, both brackets included."""
    start = i + 1
    while start < len(row) and row[start].text in _QUALIFIERS:
        start += 1
    depth = 0
    for end in range(start, len(row)):
        depth += (row[end].text == "(") - (row[end].text == ")")
        if row[start].text != "(":
            return None
        if not depth:
            return row[start : end + 1]
    return None


def _faults(token: Token, group: list[Token]) -> Iterator[Refusal]:
    where = f"line {token.line}: inline PTX"
    ends = next((i for i, one in enumerate(group) if one.text == ":"), len(group) - 1)
    parts = group[1:ends]
    if any(not one.text.startswith('"') for one in parts) or not parts:
        yield Refusal("inline_assembly", f"{where} must be plain strings; no macro may stand among them")
    text = "".join(one.text[1:-1] for one in parts)
    for escape, letter in _ESCAPES.items():
        text = text.replace(escape, letter)
    if "\\" in text or "/*" in text or "//" in text:
        yield Refusal("inline_assembly", f"{where} may have no escapes but \\n and \\t, and no comments")
    for word in _DIRECTIVE.findall(text):
        if not REGISTERS.fullmatch(word):
            yield Refusal("inline_assembly", f"{where} may declare registers, and has no other directive: {word}")
    if (bad := _SPECIAL.search(text) or _REFUSED.search(text)) is not None:
        yield Refusal("inline_assembly", f"{where} may not use {bad[1]}")
