"""How often a place in loops is reached: the loops around it, and some values of their variables with weights.

Loops whose bounds depend on loops around them are counted at three values of those (Gauss-Legendre's, which are exact
for polynomials up to degree 5, but for rounding).
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.headers import Header, header_of, variable_of
from kernels.levers.nests.integers import Integers
from kernels.levers.nests.runner import root_name_of
from kernels.levers.syntax import field, identifiers, strip_parentheses, walk
from knowledge.baselines.values import Turn

NODES: Final = ((0.1127, 5 / 18), (0.5, 8 / 18), (0.8873, 5 / 18))  # Gauss-Legendre on [0, 1]: place and weight
MOST_SAMPLES: Final = 300
Values = Mapping[str, int]
Sample = tuple[float, Values]
"""How often a place is reached with these integers."""


class Turns:
    """The loops around the present place, outer first. nests: outermost loops so far."""

    def __init__(self, integers: Integers) -> None:
        self.stack: list[Turn] = []
        self.nests = 0
        self._integers = integers
        self._samples: list[Sample] = [(1.0, {})]

    @property
    def runs(self) -> float:
        """How often the present place is reached in a call."""
        return sum(weight for weight, _ in self._samples)

    @contextmanager
    def loop(self, node: Node, body: Node) -> Generator[str]:
        """Inside of a loop; gives its variable. One whose turns are not known counts as one turn."""
        outer, variable = self._samples, variable_of(node) if node.type == "for_statement" else ""
        headers = [self._header(node, values) for _, values in outer] if variable else []
        known = [h for h in headers if h is not None]
        turn = Turn(variable or "while", None)
        if known and len(known) == len(outer):
            turn = self._turn(variable, known)
            self._samples = self._inside(known, variable, body)
        self.nests += not self.stack
        self.stack.append(turn)
        yield turn.variable
        self.stack.pop()
        self._samples = outer

    def _header(self, node: Node, values: Values) -> Header | None:
        try:
            return header_of(node, self._integers, values)
        except Unsupported:
            return None

    def _turn(self, variable: str, headers: Sequence[Header]) -> Turn:
        reached = self.runs
        runs = sum(weight * h.trip for (weight, _), h in zip(self._samples, headers, strict=True))
        varies = len({(h.first, h.trip) for h in headers}) > 1
        return Turn(variable, runs / reached if reached else 0.0, varies, headers[0].step < 0)

    def _inside(self, headers: Sequence[Header], variable: str, body: Node) -> list[Sample]:
        """Several values of the variable where bounds or conditions below need them."""
        many = len(self._samples) * len(NODES) <= MOST_SAMPLES and variable in _deciding(body)
        return [
            (weight * share, {**values, variable: header.value(number)})
            for (weight, values), header in zip(self._samples, headers, strict=True)
            for number, share in _numbers(header.trip, many=many)
        ]

    def set(self, name: str, value: Node) -> None:
        """An integer is given a value, which may not be known."""
        self._samples = [(weight, self._with(values, name, value)) for weight, values in self._samples]

    def _with(self, values: Values, name: str, value: Node) -> Values:
        try:
            return {**values, name: self._integers.evaluate(value, values)}
        except Unsupported:
            return {k: v for k, v in values.items() if k != name}

    @contextmanager
    def passed(self, given: Mapping[str, Node]) -> Generator[None]:
        """Inside of a function that is given these integers."""
        outer, found = self._samples, list[Sample]()
        for weight, values in outer:
            held = {name: self._with(values, name, value) for name, value in given.items()}
            found.append((weight, {name: inner[name] for name, inner in held.items() if name in inner}))
        self._samples = found
        yield
        self._samples = outer

    def ways(self, condition: Node) -> Iterator[bool]:
        """Each way that is taken, while inside of it; both where no integers decide."""
        outer = self._samples
        truths = [self._truth(condition, values) for _, values in outer]
        for way in (True, False):
            self._samples = [s for s, truth in zip(outer, truths, strict=True) if truth in (way, None)]
            if self._samples:
                yield way
        self._samples = outer

    def _truth(self, condition: Node, values: Values) -> bool | None:
        try:
            return bool(self._integers.evaluate(strip_parentheses(condition), values))
        except Unsupported:
            return None


def _deciding(body: Node) -> set[str]:
    """Names in heads of loops, conditions, initial values and arguments below: what is executed may depend on them."""
    found: set[str] = set()
    for node in walk(body):
        if node.type == "for_statement":
            parts = [field(node, name) for name in ("initializer", "condition", "update")]
        elif node.type == "if_statement":
            parts = [field(node, "condition")]
        elif node.type in ("init_declarator", "call_expression"):
            parts = [field(node, "value"), field(node, "arguments")]
        else:
            continue
        found.update(name for part in parts if part is not None for name in identifiers(part))
        found.discard(root_name_of(node) if node.type == "init_declarator" else "")
    return found


def _numbers(trip: int, *, many: bool) -> Iterator[tuple[int, float]]:
    """Turns of a loop and how many each stands for."""
    if trip <= 0:
        return
    if not many or trip <= len(NODES):
        numbers = range(trip) if many else [trip // 2]
        yield from ((number, trip / len(numbers)) for number in numbers)
        return
    yield from ((min(max(round(trip * at - 0.5), 0), trip - 1), trip * share) for at, share in NODES)
