"""Whether an expression is a whole number, by the types of what it is made of."""

from collections.abc import Mapping
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.literals import number
from kernels.levers.nests.integers import INTEGERS
from kernels.levers.nests.macros import expanded
from kernels.levers.scope import Variable
from kernels.levers.syntax import field, root_name, strip_parentheses, text_of
from kernels.levers.unit import Unit

WHOLE: Final = INTEGERS | {"uint8_t", "int8_t", "char", "unsigned char", "signed char", "_Bool", "bool", "kw_bf16"}
COMPARING: Final = ("<", ">", "<=", ">=", "==", "!=", "&&", "||", "%", "<<", ">>", "&", "|", "^")
DEPTH: Final = 12


def is_whole(unit: Unit, known: Mapping[str, Variable], node: Node, depth: int = 0) -> bool | None:
    """None when a part of it has no known type."""
    node = strip_parentheses(node)
    parts: list[bool | None] = []
    match node.type:
        case "number_literal":
            return _literal(node)
        case "identifier" | "subscript_expression" | "pointer_expression":
            return _typed(unit, known, node, depth)
        case "cast_expression":
            return text_of(field(node, "type") or node).strip() in WHOLE
        case "binary_expression" if text_of(field(node, "operator") or node) in COMPARING:
            return True
        case "binary_expression":
            parts = [_part(unit, known, node, name, depth) for name in ("left", "right")]
        case "unary_expression":
            return _part(unit, known, node, "argument", depth)
        case "conditional_expression":
            parts = [_part(unit, known, node, name, depth) for name in ("consequence", "alternative")]
        case "call_expression" if depth < DEPTH and (made := expanded(unit, node)) is not None:
            return is_whole(unit, known, made, depth + 1)
    return None if None in parts or not parts else all(parts)


def _part(unit: Unit, known: Mapping[str, Variable], node: Node, name: str, depth: int) -> bool | None:
    child = field(node, name)
    return is_whole(unit, known, child, depth) if child is not None else None


def _literal(node: Node) -> bool | None:
    try:
        return isinstance(number(text_of(node)), int)
    except Unsupported:
        return None


def _typed(unit: Unit, known: Mapping[str, Variable], node: Node, depth: int) -> bool | None:
    name = root_name(node)
    variable = known.get(name)
    if variable is not None:
        return variable.element in WHOLE
    macro = unit.macros.get(name) if node.type == "identifier" and depth < DEPTH else None
    if macro is not None:
        return is_whole(unit, known, macro, depth + 1)
    table = unit.tables.get(name)
    return table.element in WHOLE if table is not None else None
