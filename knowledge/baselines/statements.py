"""One statement in loops as `Work`: what it reads and stores, how its target is moved, its type."""

from collections.abc import Iterator

from tree_sitter import Node

from kernels.levers.nests.updates import Update
from kernels.levers.scope import visible
from kernels.levers.syntax import field, root_name, strip_parentheses, text_of
from kernels.levers.unit import Unit, function_name
from knowledge.baselines import counting
from knowledge.baselines.classify import Told, type_of
from knowledge.baselines.spots import Frame, Spots
from knowledge.baselines.turns import Turns
from knowledge.baselines.values import Work


def prepared(unit: Unit, frame: Frame, turns: Turns, statement: Node, value: Node) -> Work | None:
    """A value that other statements use; None when it costs nothing."""
    count = counting.operations(unit, value)
    spots = Spots(unit, frame, statement, len(turns.stack)).below(value)
    if not turns.stack or not (count or spots):
        return None
    return Work(
        function_name(frame.function), turns.nests, tuple(turns.stack), turns.runs, count, None,
        frozenset(s.root for s in spots), traits=frozenset(counting.traits(value)),
    )  # fmt: skip


def stored(unit: Unit, frame: Frame, turns: Turns, statement: Node, node: Node, update: Update) -> Work:
    """An element is stored, or something is added to. statement: around the node, for what is visible there."""
    target, depth = strip_parentheses(update.target), len(turns.stack)
    spots, scalar = Spots(unit, frame, statement, depth), target.type == "identifier"
    name = root_name(target)
    spot = None if scalar else spots.of(target)
    free = frozenset(range(frame.reset.get(name, 0))) if spot is None else spot.deps
    if spot is None:
        added = frozenset[int]().union(*(spots.deps(term) for _, term in update.terms))
        frame.deps[name] = frame.deps.get(name, frozenset()) | added
    reads = [one for _, term in update.terms for one in spots.below(term)]
    factors = [[(spots.deps(f), spots.below(f)) for f in _factors(term)] for _, term in update.terms]
    floating = element_of(frame, statement, name) in ("float", "double")
    return Work(
        function_name(frame.function), turns.nests, tuple(turns.stack), turns.runs, counting.operations(unit, node),
        type_of(Told(spot, free, tuple(turns.stack), reads, factors, update.operator)),
        frozenset(one.root for one in reads), frozenset() if spot is None else frozenset({spot.root}),
        chained=floating and bool(update.operator) and bool(update.terms) and depth - 1 not in free,
        traits=frozenset(counting.traits(node)),
    )  # fmt: skip


def element_of(frame: Frame, place: Node, name: str) -> str:
    """The type of a variable or of an array's elements, "" when it is not known."""
    variable = visible(frame.function, place).get(name)
    return variable.element if variable is not None else ""


def _factors(node: Node) -> Iterator[Node]:
    """The factors of a product."""
    node = strip_parentheses(node)
    left, right, operator = (field(node, name) for name in ("left", "right", "operator"))
    product = node.type == "binary_expression" and operator is not None and text_of(operator) == "*"
    if product and left is not None and right is not None:
        yield from _factors(left)
        yield from _factors(right)
    elif node.type == "cast_expression" and (value := field(node, "value")) is not None:
        yield from _factors(value)
    else:
        yield node
