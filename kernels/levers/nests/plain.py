"""Accesses whose subscripts are a variable and a small constant each, `t[i][k + 1]`, in loops between such ends.

Whether two of them meet, and which one comes first, is said by differences of variables alone: turns near the ends of
the loops, and near constants of the subscripts, stand for all.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.headers import Column
from kernels.levers.nests.integers import Integers
from kernels.levers.nests.uniform import parts
from kernels.levers.syntax import field, identifiers, strip_parentheses, text_of

SMALL: Final = 4
NEAR: Final = 16
"""Turns around an end: more than a few variables that are each a small constant apart."""


def marks(
    node: Node, chain: dict[str, Node], local: set[str], integers: Integers, values: Mapping[str, int]
) -> set[int] | None:
    """Constant ends and subscripts of a plain access; None when it is not plain.

    chain: loops around it by their variables; local: what else is declared in them.
    """
    found, names = set[int](), set(chain)
    try:
        for expression in [*_subscripts(node), *(e for loop in chain.items() for e in _ends(*loop))]:
            moving = list(parts(expression, names))
            if len(moving) > 1 or not names.issuperset(moving) or identifiers(expression) & local:
                return None
            constant = integers.evaluate(expression, {**values, **dict.fromkeys(moving, 0)})
            if moving and abs(constant) > SMALL:
                return None
            found |= set() if moving else {constant}
    except Unsupported:
        return None
    return found


def near(ends: set[int]) -> Column:
    """Values beside these."""
    return np.unique(np.add.outer(np.array(sorted(ends), np.int64), np.arange(-NEAR, NEAR + 1)))


def _subscripts(node: Node) -> Iterator[Node]:
    """Raises: Unsupported for other ways to name an element."""
    while node.type == "subscript_expression":
        index, argument = field(node, "index"), field(node, "argument")
        if index is None or argument is None:
            raise Unsupported("subscript")
        yield index
        node = strip_parentheses(argument)
    if node.type != "identifier":
        raise Unsupported("an element that is named in another way")


def _ends(variable: str, loop: Node) -> Iterator[Node]:
    """Where the loop begins and ends. Raises: Unsupported."""
    condition, update, start = (field(loop, part) for part in ("condition", "update", "initializer"))
    condition = strip_parentheses(condition) if condition is not None else None
    left, bound = (field(condition, part) if condition is not None else None for part in ("left", "right"))
    declared = field(start, "declarator") if start is not None else None
    first = field(declared or start, "value" if declared else "right") if start is not None else None
    steps = update is not None and update.type == "update_expression"
    if left is None or bound is None or first is None or text_of(left) != variable or not steps:
        raise Unsupported("a loop with other ends")
    yield from (first, bound)
