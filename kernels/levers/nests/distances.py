"""How far apart the turns of a loop may be that meet in one element: the constants in its subscripts say it."""

from collections.abc import Iterable, Iterator
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.integers import Integers
from kernels.levers.syntax import field, walk

MOST: Final = {1: 8, 2: 2}
"""By depth of the nest, the smallest of them: each makes twelve more iterations of every loop."""
CONSTANT: Final = ("number_literal", "identifier", "binary_expression", "parenthesized_expression")


def distances(nodes: Iterable[Node], integers: Integers, depth: int) -> tuple[int, ...]:
    """Whole numbers above 1 of which subscripts below the nodes are made, with any constant name written out:
    2, 64 and 128 of `x[(i + HALF) % (2 * HALF)]` where HALF is 64."""
    parts = (part for node in nodes for index in _indices(node) for part in walk(index) if part.type in CONSTANT)
    found = {value for part in parts for value in _constant(part, integers)}
    return tuple(sorted(found)[: MOST.get(depth, 0)])


def _indices(node: Node) -> Iterator[Node]:
    for inner in walk(node):
        index = field(inner, "index") if inner.type == "subscript_expression" else None
        if index is None and inner.type == "pointer_expression":
            index = field(inner, "argument")
        if index is not None:
            yield index


def _constant(node: Node, integers: Integers) -> set[int]:
    try:
        value = integers.evaluate(node, {})
    except Unsupported:
        return set()
    return {abs(value)} if abs(value) > 1 else set()
