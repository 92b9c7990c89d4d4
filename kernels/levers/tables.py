"""Values of literal tables."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from tree_sitter import Node

from kernels.levers import operators
from kernels.levers.abstract import Unsupported, Value
from kernels.levers.literals import number
from kernels.levers.syntax import field, strip_parentheses, text_of
from kernels.levers.unit import unit_of


@lru_cache(maxsize=256)
def table_values(source: str, name: str) -> NDArray[np.float64]:
    """The values of a file-scope table. Raises: Unsupported when an element is not a constant expression."""
    found = [_constant(literal) for literal in unit_of(source).tables[name].literals]
    return np.array(found, dtype=np.float64)


def _constant(node: Node) -> float:
    value = _value(node)
    if not isinstance(value, int | float):
        raise Unsupported(f"constant {text_of(node)}")
    return float(value)


def _value(node: Node) -> Value:
    node = strip_parentheses(node)
    match node.type:
        case "number_literal":
            return number(text_of(node))
        case "identifier" if text_of(node) in ("NAN", "INFINITY"):
            return float("nan") if text_of(node) == "NAN" else float("inf")
        case "unary_expression" | "binary_expression":
            operator = text_of(field(node, "operator") or node)
            sides = [_value(n) for name in ("left", "right", "argument") if (n := field(node, name)) is not None]
            return operators.unary(operator, sides[0]) if len(sides) == 1 else operators.binary(operator, *sides)
    raise Unsupported(f"constant {node.type}")
