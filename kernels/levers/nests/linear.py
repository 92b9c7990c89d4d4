"""Whether a bound grows evenly with the variable of a loop around, so that its ends say how far it goes."""

from collections.abc import Collection

from tree_sitter import Node

from kernels.levers.syntax import field, identifiers, parse_expression, strip_parentheses, text_of


def is_linear(text: str, variable: str, moving: Collection[str]) -> bool:
    """Whether the expression is made of the variable by sums and by products with what does not move."""
    node = parse_expression(text)
    return node is not None and not identifiers(node) & (set(moving) - {variable}) and _linear(node, variable)


def _linear(node: Node, variable: str) -> bool:
    node = strip_parentheses(node)
    if variable not in identifiers(node) or node.type == "identifier":
        return True
    left, right = field(node, "left"), field(node, "right")
    if node.type != "binary_expression" or left is None or right is None:
        return False
    operator, moving = text_of(field(node, "operator") or node), [variable in identifiers(n) for n in (left, right)]
    if operator not in ("+", "-") and (operator != "*" or all(moving)):
        return False
    return _linear(left, variable) and _linear(right, variable)
