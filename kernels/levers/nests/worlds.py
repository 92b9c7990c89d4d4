"""What may be thought of the integers around a nest: variables of loops stand somewhere, and of those whose value is
not known, the ones that shift or divide a subscript may be large, 1 or -1."""

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as made_of

from tree_sitter import Node

from kernels.levers.nests.scopes import places_at
from kernels.levers.syntax import field, identifiers, text_of, walk
from kernels.levers.unit import Unit

Turns = dict[tuple[int, tuple[int, ...]], set[int]]
"""By where a loop begins and by the values of the variables of the loops around it in the nest: its own values."""


@dataclass(frozen=True, slots=True)
class World:
    """around: values of variables of loops around, the others stand in their middle; guesses: of unknown integers;
    turns: the only ones that are run."""

    around: dict[str, int] = made_of(default_factory=dict)
    guesses: dict[str, int] = made_of(default_factory=dict)
    turns: Turns | None = None


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
