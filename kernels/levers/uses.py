"""Where the names of a translation unit stand: looked up once a source, since every lever asks."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from tree_sitter import Node

from kernels.levers.syntax import enclosing, text_of, walk
from kernels.levers.unit import Unit, unit_of
from kernels.packs.trees import called

CALL: Final = "call_expression"


def calls_of(unit: Unit, name: str) -> Sequence[Node]:
    """Call expressions of that name, in source order."""
    return _named(unit.source, CALL).get(name, ())


def uses_of(unit: Unit, name: str) -> Sequence[Node]:
    """Identifiers of that name, declarations included, in source order."""
    return _named(unit.source, "identifier").get(name, ())


def called_in_loop(unit: Unit, name: str) -> bool:
    return any(enclosing(call, "for_statement") is not None for call in calls_of(unit, name))


@lru_cache(maxsize=128)
def _named(source: str, kind: str) -> dict[str, list[Node]]:
    """Nodes of one kind by their name: of a call what it calls, of an identifier its text."""
    found: dict[str, list[Node]] = {}
    for node in walk(unit_of(source).root):
        if node.type == kind:
            found.setdefault(called(node) if kind == CALL else text_of(node), []).append(node)
    return found
