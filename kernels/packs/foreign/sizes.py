"""Whole-number expressions of sizes, as C and the shapes file write them: `N`, `N*M`, `2*N + 1`."""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Final

_OPERATORS: Final[dict[type[ast.operator], Callable[[int, int], int]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
}  # fmt: skip
_DEPTH: Final = 32


def size_of(expression: int | str, names: Mapping[str, int | str]) -> int | None:
    """Its value; None when a name is not known or it is no whole number. names: values, or expressions themselves."""
    return _value(str(expression), names, _DEPTH)


def _value(text: str, names: Mapping[str, int | str], depth: int) -> int | None:
    plain = re.sub(r"(?<=\d)[uUlL]+\b", "", text).replace("/", "//").strip()
    try:
        tree = ast.parse(plain, mode="eval").body
    except SyntaxError:
        return None
    return _of(tree, names, depth)


def _of(node: ast.expr, names: Mapping[str, int | str], depth: int) -> int | None:
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return number
        case ast.Name(id=name) if name in names and depth:
            return _value(str(names[name]), names, depth - 1)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            value = _of(inner, names, depth)
            return None if value is None else -value
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            one, other = _of(left, names, depth), _of(right, names, depth)
            return None if one is None or other is None else _combined(_OPERATORS[type(op)], one, other)
    return None


def _combined(what: Callable[[int, int], int], one: int, other: int) -> int | None:
    try:
        return what(one, other)
    except (ZeroDivisionError, ValueError):
        return None
