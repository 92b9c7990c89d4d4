"""Where the names of a translation unit stand: looked up once a source, since every lever asks."""

from collections.abc import Sequence
from functools import lru_cache

from tree_sitter import Node

from kernels.levers.syntax import enclosing, text_of, walk
from kernels.levers.unit import Unit, unit_of
from kernels.packs.trees import called


def calls_of(unit: Unit, name: str) -> Sequence[Node]:
    """Call expressions of that name, in source order."""
    return _calls(unit.source).get(name, ())


def uses_of(unit: Unit, name: str) -> Sequence[Node]:
    """Identifiers of that name, declarations included, in source order."""
    return _identifiers(unit.source).get(name, ())


def called_in_loop(unit: Unit, name: str) -> bool:
    return any(enclosing(call, "for_statement") is not None for call in calls_of(unit, name))


@lru_cache(maxsize=64)
def _calls(source: str) -> dict[str, list[Node]]:
    found: dict[str, list[Node]] = {}
    for node in walk(unit_of(source).root):
        if node.type == "call_expression":
            found.setdefault(called(node), []).append(node)
    return found


@lru_cache(maxsize=64)
def _identifiers(source: str) -> dict[str, list[Node]]:
    found: dict[str, list[Node]] = {}
    for node in walk(unit_of(source).root):
        if node.type == "identifier":
            found.setdefault(text_of(node), []).append(node)
    return found
