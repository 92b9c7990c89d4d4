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
from kernels.levers.nests.reached import Access as ReachedBy
from kernels.levers.nests.rows import distinct
from kernels.levers.nests.scopes import loops_above, places_at
from kernels.levers.nests.uniform import elements, is_sum
from kernels.levers.nests.worlds import guesses
from kernels.levers.scope import declared_inside
from kernels.levers.syntax import edited_text, enclosing, field, replace_node, same, text_of, walk
from kernels.levers.unit import Unit, node_at, unit_of

NEAR: Final = (0, 1, 6)
"""Turns from the middle one on."""
SPREAD: Final = 8


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


class _Scopes:
    """What is known at a place in different turns of the loop, all else being equal."""

    def __init__(self, unit: Unit, loop: CountedLoop) -> None:
        self._unit, self._loop, self._variable = unit, loop, loop.variable
        self._guesses = [dict[str, int](), *guesses(unit, [loop.node])]
        self._known: dict[int, list[list[tuple[int, Places]]]] = {}

    def places(self, node: Node) -> list[list[tuple[int, Place]]]:
        """Of the access in some turns, with the turn's distance from the first of them, in every world.

        Raises: Unsupported.
        """
        statement = enclosing(node, "expression_statement", "declaration", "for_statement", "if_statement") or node
        if statement.start_byte not in self._known:
            self._known[statement.start_byte] = [list(self._turns(statement, node, guess)) for guess in self._guesses]
        return [[(away, scope.element(node)) for away, scope in turns] for turns in self._known[statement.start_byte]]

    def everywhere(self, node: Node, stride: int | None) -> bool:
        """Whether it moves so in all turns of all loops around, where its subscript is more than a sum of products."""
        names = [variable_of(loop) for loop in loops_above(node)]
        if self._variable not in names:
            return False
        if stride is None or is_sum(node, {*names, *declared_inside(loops_above(node)[0])} if names else ()):
            return True
        try:
            reached = ReachedBy(self._unit, node, loops_above(node)).reached(set(names), None)
        except Unsupported:
            return False
        start = reached.offsets - stride * reached.turns[self._variable]
        others = [reached.turns[name] for name in names if name != self._variable]
        if not others:
            return len(distinct([start])[0]) <= 1
        return len(distinct([*others, start])[0]) == len(distinct(others)[0])

    def _turns(self, statement: Node, node: Node, guess: Mapping[str, int]) -> Iterator[tuple[int, Places]]:
        place = node if statement.type == "for_statement" else statement
        values = places_at(self._unit, place).values
        around = {variable_of(n): values[variable_of(n)] for n in loops_above(place) if variable_of(n) in values}
        start = around.get(self._variable, 0)
        for away in (*NEAR, *self._ends(around, start)):
            found = places_at(self._unit, place, {**around, self._variable: start + away})
            found.values |= guess
            yield away, found

    def _ends(self, around: Mapping[str, int], start: int) -> tuple[int, ...]:
        """The first and the last turn: a place that moves evenly here may begin anew on the way there."""
        try:
            header = header_of(self._loop.node, integers_of(self._unit.source), around)
        except Unsupported:
            return ()
        last = max(header.trip - 1, 0)
        return tuple(header.value(number) - start for number in (0, last, *_spread(last)))


def _access(scopes: _Scopes, node: Node) -> Access:
    above = node.parent
    target = (field(above, "left") or field(above, "argument")) if above is not None else None
    changes = above is not None and above.type in ("assignment_expression", "update_expression")
    stored = changes and target is not None and same(target, node)
    try:
        places = scopes.places(node)
    except Unsupported:
        return Access(node, "", "", None, stored)
    strides = {_stride(turns) for turns in places}
    here, stride = places[0][0][1], strides.pop() if len(strides) == 1 else None
    return Access(node, here.root, here.element, stride if scopes.everywhere(node, stride) else None, stored)


def _stride(turns: list[tuple[int, Place]]) -> int | None:
    """By how many elements every turn moves the place; None when not evenly."""
    (_, here), (_, next_one), *further = turns
    stride = next_one.offset - here.offset
    return stride if all(there.offset - here.offset == away * stride for away, there in further) else None


def _spread(last: int) -> Iterator[int]:
    """Turns in between, at no even distance."""
    return (last * k * k // (SPREAD * SPREAD) for k in range(1, SPREAD))


def moved(node: Node, loop: CountedLoop, value: str) -> str:
    """Text of the element at another value of the loop's variable."""
    edits = [replace_node(n, value) for n in walk(node) if n.type == "identifier" and text_of(n) == loop.variable]
    return edited_text(node, edits)
