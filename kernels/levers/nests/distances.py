"""How far apart the turns of a loop may be that meet in one element: the constants in its subscripts say it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.integers import Integers
from kernels.levers.syntax import field, text_of, walk

MOST: Final = {1: 8, 2: 4, 3: 1}
"""By depth of the nest, the smallest of them: each makes twelve more iterations of every loop."""
ROWS: Final = {2: 2, 3: 1}
"""Of strides, at which a loop over columns meets the next row."""
NEAR: Final = 4
"""Shorter ones show among the first iterations."""
CONSTANT: Final = ("number_literal", "identifier", "binary_expression", "parenthesized_expression")


def distances(nodes: Iterable[Node], integers: Integers, depth: int, known: Mapping[str, int]) -> tuple[int, ...]:
    """Whole numbers above 1 of which subscripts below the nodes are made, with any constant name written out:
    64 and 128 of `x[(i + HALF) % (2 * HALF)]` where HALF is 64. known: values of variables that the nest does not
    change. One that spans rows of a flat array counts as its rows and its columns as well."""
    found, rows = set[int](), set[int]()
    for index in (index for node in nodes for index in _indices(node)):
        strides = {abs(v) for v in _strides(index, integers, known) if abs(v) > 1}
        parts = (n for n in walk(index) if n.type in CONSTANT and not _is_stride(n, integers, known))
        away = {abs(value) for part in parts if (value := _constant(part, integers, known)) is not None}
        found |= away | {d for a in away for s in strides if a > s for d in (a // s, a % s)}
        rows |= strides
    far = sorted(d for d in found if d > (NEAR if depth > 1 else 1))[: MOST.get(depth, 0)]
    return (*far, *sorted(rows - set(far))[: ROWS.get(depth, 0)])


def _indices(node: Node) -> Iterator[Node]:
    for inner in walk(node):
        index = field(inner, "index") if inner.type == "subscript_expression" else None
        if index is None and inner.type == "pointer_expression":
            index = field(inner, "argument")
        if index is not None:
            yield index


def _strides(index: Node, integers: Integers, known: Mapping[str, int]) -> Iterator[int]:
    for node in walk(index):
        value = _constant(node, integers, known) if _is_stride(node, integers, known) else None
        if value is not None:
            yield value


def _is_stride(node: Node, integers: Integers, known: Mapping[str, int]) -> bool:
    """Whether it multiplies what moves."""
    above = node.parent
    if above is None or above.type != "binary_expression" or text_of(field(above, "operator") or above) != "*":
        return False
    return _constant(node, integers, known) is not None and _constant(above, integers, known) is None


def _constant(node: Node, integers: Integers, known: Mapping[str, int]) -> int | None:
    try:
        return integers.evaluate(node, known)
    except Unsupported:
        return None
