"""What may be thought of the integers around a nest: variables of loops stand at several places, and of those whose
value is not known, the ones that shift or divide a subscript may be large, 1 or -1."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as made_of
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.distances import distances
from kernels.levers.nests.headers import header_of, variable_of
from kernels.levers.nests.integers import integers_of
from kernels.levers.nests.scopes import places_at
from kernels.levers.syntax import enclosing, field, identifiers, text_of, walk
from kernels.levers.unit import Unit

MOST: Final = 6


@dataclass(frozen=True, slots=True)
class World:
    """around: values of variables of loops around, the others stand in their middle; guesses: of unknown integers."""

    around: dict[str, int] = made_of(default_factory=dict)
    guesses: dict[str, int] = made_of(default_factory=dict)

    @classmethod
    def guessing(cls, values: dict[str, int]) -> "World":
        return cls(guesses=values)


def guesses(unit: Unit, nodes: Sequence[Node]) -> list[dict[str, int]]:
    """Small values of unknown integers in subscripts that neither multiply nor bound a loop."""
    shifts = sorted(_shifts(unit, nodes))
    signs = [(1, 1), (-1, -1)] if len(shifts) < 2 else [(1, 1), (-1, -1), (1, -1), (-1, 1)]
    return [{name: pair[k % 2] for k, name in enumerate(shifts)} for pair in signs if shifts]


def _shifts(unit: Unit, nodes: Sequence[Node]) -> set[str]:
    found, sizes = set[str](), set[str]()
    for node in (inner for n in nodes for inner in walk(n)):
        index = field(node, "index") if node.type == "subscript_expression" else None
        index = field(node, "argument") if node.type == "pointer_expression" else index
        found |= identifiers(index) if index is not None else set()
        bound = field(node, "condition") if node.type == "for_statement" else None
        product = node if node.type == "binary_expression" and text_of(field(node, "operator") or node) == "*" else None
        sizes |= identifiers(bound) if bound is not None else identifiers(product) if product is not None else set()
    return (found & places_at(unit, nodes[0]).unknown) - sizes


def around(unit: Unit, nodes: Sequence[Node]) -> list[dict[str, int]]:
    """Values of variables of loops around: each one at the ends of its loop and at constants of the subscripts, and all
    of them there together."""
    return list(_around(unit, nodes))


def _around(unit: Unit, nodes: Sequence[Node]) -> Iterator[dict[str, int]]:
    scope, integers = places_at(unit, nodes[0]), integers_of(unit.source)
    still = {name: v for name, v in scope.values.items() if name not in scope.around}
    wanted = distances(nodes, integers, 1, still)[:MOST]
    above, together = enclosing(nodes[0], "for_statement"), dict[int, dict[str, int]]()
    while above is not None:
        try:
            header = header_of(above, integers, scope.values)
        except Unsupported:
            above = enclosing(above, "for_statement")
            continue
        ends = (header.value(0), header.value(header.trip - 1)) if header.trip > 1 else ()
        inside = [v for v in wanted if min(ends, default=0) <= v <= max(ends, default=-1)]
        yield from ({header.variable: value} for value in (*ends, *inside))
        for value in inside:
            together.setdefault(value, {})[variable_of(above)] = value
        above = enclosing(above, "for_statement")
    yield from (values for values in together.values() if len(values) > 1)
