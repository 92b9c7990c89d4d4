"""Whole numbers that a source says in constant expressions, macros included."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tree_sitter import Node

from kernels.levers.syntax import field, named, text_of
from kernels.levers.unit import unit_of

DEPTH: Final = 32  # macros within macros
_OPERATORS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a // b,
    "%": lambda a, b: a % b, "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b,
}  # fmt: skip
_INTEGER: Final = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)[uUlL]*")


class NoConstant(Exception):
    """What is no constant, for the author of the source."""


def macros_of(source: str, flags: Sequence[str] = ()) -> dict[str, Node]:
    """Of the source and of the command line. source: as the C grammar reads it."""
    lines = [f"#define {flag[2:].replace('=', ' ', 1)}\n" for flag in flags if flag.startswith("-D") and "=" in flag]
    return {**unit_of(source).macros, **unit_of("".join(lines)).macros}


def value_of(node: Node, macros: Mapping[str, Node], depth: int = DEPTH) -> int:
    """Raises: NoConstant."""
    found: int | None = None
    if depth and node.type == "identifier" and text_of(node) in macros:
        found = value_of(macros[text_of(node)], macros, depth - 1)
    elif node.type == "number_literal" and (literal := _INTEGER.fullmatch(text_of(node))):
        found = int(literal[1], 16 if literal[1][:2].lower() == "0x" else 10)
    elif node.type == "parenthesized_expression":
        found = value_of(named(node)[0], macros, depth)
    elif node.type == "binary_expression":
        left, right, op = (field(node, part) for part in ("left", "right", "operator"))
        if left is not None and right is not None and op is not None and text_of(op) in _OPERATORS:
            found = _computed(text_of(op), value_of(left, macros, depth), value_of(right, macros, depth))
    if found is None:
        raise NoConstant(f"{text_of(node)} is no constant: whole numbers, macros, and + - * / % << >> of them")
    return found


def _computed(op: str, left: int, right: int) -> int:
    try:
        return _OPERATORS[op](left, right)
    except (ArithmeticError, ValueError) as error:
        raise NoConstant(f"{left} {op} {right}: {error}") from error
