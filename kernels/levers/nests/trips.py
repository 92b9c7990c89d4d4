"""The heads of many runs of one loop at once: first values, step and numbers of turns as columns."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.headers import LONGEST, Column, first_of, step_of
from kernels.levers.nests.integers import Integers
from kernels.levers.syntax import field, identifiers, strip_parentheses, text_of

Holds = Callable[[Column], Column]
UP: Final = {"<": 0, "<=": 1}
DOWN: Final = {">": 0, ">=": 1}
"""Comparisons of the variable with a bound, and whether the bound itself is a turn."""


def headers_of(node: Node, integers: Integers, values: Mapping[str, Any], count: int) -> tuple[Column, int, Column]:
    """First values, step and trips of many runs of the loop. values: numbers, or columns of so many of them.

    Raises: Unsupported, also where the bounds cannot be computed at once.
    """
    condition, update = field(node, "condition"), field(node, "update")
    if condition is None or update is None:
        raise Unsupported("a for statement without all its parts")
    condition, (variable, step) = strip_parentheses(condition), step_of(update, integers, values)
    first = np.broadcast_to(first_of(field(node, "initializer"), variable, integers, values), (count,))

    def holds(number: Column) -> Column:
        inside: dict[str, Any] = {**values, variable: first + number * step}
        return np.broadcast_to(integers.evaluate(condition, inside), (count,)) != 0

    bound = _bound(condition, variable, step)
    if bound is None:
        return first, step, _by_bisection(holds, count)
    away = (integers.evaluate(bound[0], values) - first) * (1 if step > 0 else -1) + bound[1]
    trips = np.broadcast_to(np.maximum(-(-away // abs(step)), 0), (count,)).astype(np.int64)
    return first, step, trips if _fits(trips, holds) else _by_bisection(holds, count)


def _bound(condition: Node, variable: str, step: int) -> tuple[Node, int] | None:
    """What a plain comparison compares the variable with, and what its distance is to be raised by."""
    left, operator, right = (field(condition, part) for part in ("left", "operator", "right"))
    if condition.type != "binary_expression" or left is None or operator is None or right is None:
        return None
    more = (UP if step > 0 else DOWN).get(text_of(operator))
    plain = text_of(strip_parentheses(left)) == variable and variable not in identifiers(right)
    return (right, more) if plain and more is not None else None


def _fits(trips: Column, holds: Holds) -> bool:
    """Whether the condition holds in the last turn and no more behind it, in C's own arithmetic."""
    inside, behind = holds(np.maximum(trips - 1, 0)), holds(trips)
    return bool((np.where(trips > 0, inside, True) & ~behind).all()) and int(trips.max(initial=0)) < LONGEST


def _by_bisection(holds: Holds, count: int) -> Column:
    none, high = ~holds(np.zeros(count, np.int64)), np.ones(count, np.int64)
    while (longer := holds(high) & ~none).any():
        high = np.where(longer, high * 2, high)
        if high.max() >= LONGEST:
            raise Unsupported("a loop without an end")
    low = high // 2
    while (high - low > 1).any():
        middle = (low + high) // 2
        inside = holds(middle)
        low, high = np.where(inside, middle, low), np.where(inside, high, np.maximum(middle, low + 1))
    return np.where(none, 0, high)
