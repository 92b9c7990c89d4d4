"""The head of a for statement with any constant step: its variable, its values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.integers import Integers
from kernels.levers.syntax import field, named, strip_parentheses, text_of

Column = NDArray[np.int64]
LONGEST: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class Header:
    """`variable` takes first, first + step, ...: `trip` values."""

    variable: str
    first: int
    step: int
    trip: int

    def value(self, number: int) -> int:
        """Of the variable in iteration `number`; behind the last one when number is `trip`."""
        return self.first + number * self.step

    def sampled(self, first: int, last: int, near: Iterable[int] = ()) -> list[int]:
        """Numbers of the first and of the last iterations, and of those in which the variable is one of these values,
        or beside one."""
        found = {*range(min(first, self.trip)), *range(max(self.trip - last, 0), self.trip)}
        for value in near:
            number = (value - self.first) // self.step
            found.update(n for n in (number - 1, number, number + 1) if 0 <= n < self.trip)
        return sorted(found)


def header_of(node: Node, integers: Integers, values: Mapping[str, int]) -> Header:
    """Raises: Unsupported when the head is no count with a constant step and known bounds."""
    condition, update = field(node, "condition"), field(node, "update")
    if condition is None or update is None:
        raise Unsupported("a for statement without all its parts")
    variable, step = step_of(update, integers, values)
    first = first_of(field(node, "initializer"), variable, integers, values)
    return Header(variable, first, step, _trip(strip_parentheses(condition), variable, first, step, integers, values))


def variable_of(node: Node) -> str:
    """The variable that the for statement steps, "" when it is not known."""
    update = field(node, "update")
    target = field(update, "argument") or field(update, "left") if update is not None else None
    return text_of(target) if target is not None and target.type == "identifier" else ""


def step_of(update: Node, integers: Integers, values: Mapping[str, int]) -> tuple[str, int]:
    """The variable and its step. Raises: Unsupported for none that is constant."""
    target = field(update, "argument") or field(update, "left")
    if target is None or target.type != "identifier":
        raise Unsupported("step")
    name, text = text_of(target), text_of(update)
    if update.type == "update_expression":
        return name, 1 if "++" in text else -1
    right, operator = field(update, "right"), field(update, "operator")
    if update.type != "assignment_expression" or right is None or operator is None:
        raise Unsupported("step")
    match text_of(operator):
        case "+=":
            step = integers.evaluate(right, values)
        case "-=":
            step = -integers.evaluate(right, values)
        case "=":
            step = integers.evaluate(right, {**values, name: 0})
            if integers.evaluate(right, {**values, name: 1000}) != step + 1000:
                raise Unsupported("step")
        case other:
            raise Unsupported(f"step {other}")
    if not step:
        raise Unsupported("step 0")
    return name, step


def first_of(node: Node | None, variable: str, integers: Integers, values: Mapping[str, int]) -> int:
    """The variable's first value. Raises: Unsupported."""
    if node is None or node.type == ";":
        if variable not in values:
            raise Unsupported(f"the first value of {variable}")
        return values[variable]
    if node.type == "declaration":
        declarators = [n for n in named(node) if n.type == "init_declarator"]
        target, value = (field(declarators[0], x) for x in ("declarator", "value")) if declarators else (None, None)
    else:
        target, value = field(node, "left"), field(node, "right")
    if target is None or value is None or text_of(target) != variable:
        raise Unsupported("initializer")
    return integers.evaluate(value, values)


def _trip(condition: Node, variable: str, first: int, step: int, integers: Integers, values: Mapping[str, int]) -> int:
    """The number of iterations, by bisection over the condition."""
    inside = dict(values)

    def holds(number: int) -> bool:
        inside[variable] = first + number * step
        return bool(integers.evaluate(condition, inside))

    if not holds(0):
        return 0
    high = 1
    while high < LONGEST and holds(high):
        high *= 2
    if high >= LONGEST:
        raise Unsupported("a loop without an end")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return high
