"""How far an array access moves from one turn of a loop to the next."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.loops import CountedLoop, counted_loop
from kernels.levers.nests.headers import header_of, variable_of
from kernels.levers.nests.integers import integers_of
from kernels.levers.nests.places import Place, Places
from kernels.levers.nests.scopes import places_at
from kernels.levers.syntax import edited_text, enclosing, field, replace_node, same, text_of, walk
from kernels.levers.unit import Unit, node_at, unit_of

NEAR: Final = (0, 1, 6)
"""Turns from the middle one on."""


@dataclass(frozen=True, slots=True)
class Access:
    """One array access in source. root: the array. stride: elements a turn, None when it is not constant or not known.
    stored: whether an assignment writes it."""

    node: Node
    root: str
    element: str
    stride: int | None
    stored: bool

    @property
    def still(self) -> bool:
        """Whether the loop does not move it."""
        return self.stride == 0

    @property
    def moves(self) -> bool:
        """Whether every turn moves it by the same number of elements."""
        return self.stride is not None and self.stride != 0

    @property
    def jumps(self) -> bool:
        """Whether it does anything but stay or step to a neighbour."""
        return self.stride is None or abs(self.stride) > 1


def accesses(unit: Unit, loop: CountedLoop, within: Node | None = None) -> list[Access]:
    """Array accesses (a[i][j], *(a + i)) below the node, the loop's body by default, and how the loop moves them."""
    node = within if within is not None else loop.body
    return list(_accesses(unit.source, (loop.node.start_byte, loop.node.end_byte), (node.start_byte, node.end_byte)))


@lru_cache(maxsize=1024)
def _accesses(source: str, head: tuple[int, int], within: tuple[int, int]) -> tuple[Access, ...]:
    unit = unit_of(source)
    loop = counted_loop(node_at(unit, head))
    holder = node_at(unit, within)
    scopes = _Scopes(unit, loop) if loop is not None else None
    return tuple(_access(scopes, node) for node in elements(holder)) if scopes is not None else ()


def elements(node: Node) -> Iterator[Node]:
    """Whole element expressions, those inside of subscripts as well."""
    for inner in walk(node):
        star = inner.type == "pointer_expression" and text_of(inner).startswith("*")
        if (inner.type == "subscript_expression" or star) and not _is_part(inner):
            yield inner


def _is_part(node: Node) -> bool:
    """Whether a longer subscript goes on from it."""
    above = node.parent
    if above is None or above.type != "subscript_expression":
        return False
    argument = field(above, "argument")
    return argument is not None and same(argument, node)


class _Scopes:
    """What is known at a place in different turns of the loop, all else being equal."""

    def __init__(self, unit: Unit, loop: CountedLoop) -> None:
        self._unit, self._loop, self._variable = unit, loop, loop.variable
        self._known: dict[int, list[tuple[int, Places]]] = {}

    def places(self, node: Node) -> list[tuple[int, Place]]:
        """Of the access in some turns, with the turn's distance from the first of them. Raises: Unsupported."""
        statement = enclosing(node, "expression_statement", "declaration", "for_statement", "if_statement") or node
        if statement.start_byte not in self._known:
            self._known[statement.start_byte] = list(self._turns(statement, node))
        return [(away, scope.element(node)) for away, scope in self._known[statement.start_byte]]

    def _turns(self, statement: Node, node: Node) -> Iterator[tuple[int, Places]]:
        place = node if statement.type == "for_statement" else statement
        values = places_at(self._unit, place).values
        around = {variable_of(n): values[variable_of(n)] for n in _loops_above(place) if variable_of(n) in values}
        start = around.get(self._variable, 0)
        for away in (*NEAR, *self._ends(around, start)):
            yield away, places_at(self._unit, place, {**around, self._variable: start + away})

    def _ends(self, around: Mapping[str, int], start: int) -> tuple[int, ...]:
        """The first and the last turn: a place that moves evenly here may begin anew on the way there."""
        try:
            header = header_of(self._loop.node, integers_of(self._unit.source), around)
        except Unsupported:
            return ()
        return header.value(0) - start, header.value(max(header.trip - 1, 0)) - start


def _access(scopes: _Scopes, node: Node) -> Access:
    above = node.parent
    target = (field(above, "left") or field(above, "argument")) if above is not None else None
    changes = above is not None and above.type in ("assignment_expression", "update_expression")
    stored = changes and target is not None and same(target, node)
    try:
        places = scopes.places(node)
    except Unsupported:
        return Access(node, "", "", None, stored)
    (_, here), (_, next_one), *further = places
    stride = next_one.offset - here.offset
    evenly = all(there.offset - here.offset == away * stride for away, there in further)
    return Access(node, here.root, here.element, stride if evenly else None, stored)


def _loops_above(node: Node) -> Iterator[Node]:
    above = enclosing(node, "for_statement")
    while above is not None:
        yield above
        above = enclosing(above, "for_statement")


def moved(node: Node, loop: CountedLoop, value: str) -> str:
    """Text of the element at another value of the loop's variable."""
    edits = [replace_node(n, value) for n in walk(node) if n.type == "identifier" and text_of(n) == loop.variable]
    return edited_text(node, edits)
