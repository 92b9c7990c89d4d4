"""All turns of nested loops as columns of numbers: one row a turn, one column a variable."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import numpy as np
from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.headers import Column, header_of, variable_of
from kernels.levers.nests.integers import integers_of
from kernels.levers.nests.plain import marks
from kernels.levers.nests.rows import distinct
from kernels.levers.nests.runner import changed_names
from kernels.levers.nests.scopes import places_at
from kernels.levers.nests.trips import headers_of
from kernels.levers.scope import declared_inside
from kernels.levers.syntax import field, identifiers, walk
from kernels.levers.unit import Unit

MOST: Final = 4_000_000
"""Turns."""
ROWS: Final = 5_000
"""Bounds that are computed one by one."""
ENDS: Final = 3
"""Turns of a loop whose variable does not matter: the first, the second and the last."""


class Domain:
    """The turns of the loops of a chain, outer first."""

    def __init__(self, unit: Unit, chain: Sequence[Node]) -> None:
        """Raises: Unsupported for a loop without a variable of its own."""
        self.names = [variable_of(loop) for loop in chain]
        if "" in self.names or len(set(self.names)) < len(self.names):
            raise Unsupported("loops without a variable of their own")
        self._unit, self._chain = unit, chain
        inside = [n for n in walk(chain[0]) if n.type == "for_statement"] if chain else []
        self._local = declared_inside(chain[0]) - {variable_of(n) for n in inside} if chain else set[str]()
        self.changed = changed_names(chain[0]) if chain else set[str]()

    def moved_by(self, *nodes: Node) -> set[str]:
        """Variables of the chain on which the expressions depend, as far as one may know."""
        named = {name for node in nodes for name in identifiers(node)}
        return set(self.names) if named & self._local else named & set(self.names)

    def columns(self, needed: set[str], some: Column | None = None) -> dict[str, Column]:
        """Of all turns, but for a few ends where nothing depends on a variable. some: the only values of interest.

        Raises: Unsupported when there are too many.
        """
        bounds = [self._bounding(number) for number in range(len(self.names))]
        needed = needed.union(*bounds)
        table: dict[str, Column] = {}
        for number, name in enumerate(self.names):
            table = self._grown(table, number, sorted(bounds[number]), ends=name not in needed)
            kept = np.isin(table[name], some) if some is not None and name in needed else None
            table = {n: column[kept] for n, column in table.items()} if kept is not None else table
        return table

    def marks(self, node: Node) -> set[int] | None:
        """Of an access in the loops; see `plain.marks`."""
        values = places_at(self._unit, self._chain[0]).values if self._chain else {}
        chain = dict(zip(self.names, self._chain, strict=True))
        return marks(node, chain, self._local, integers_of(self._unit.source), values)

    def _bounding(self, number: int) -> set[str]:
        """Variables on which the bounds of this loop depend."""
        head = self._head(number)
        if self.changed & {name for part in head for name in identifiers(part)}:
            raise Unsupported("a loop whose bounds change")
        return self.moved_by(*head) & set(self.names[:number])

    def _head(self, number: int) -> list[Node]:
        parts = (field(self._chain[number], part) for part in ("initializer", "condition", "update"))
        return [part for part in parts if part is not None]

    def _grown(self, table: dict[str, Column], number: int, above: list[str], *, ends: bool) -> dict[str, Column]:
        count = len(next(iter(table.values()))) if table else 1
        rows, which = _distinct(table, above, count)
        first, step, trip = self._bounds(number, above, rows)
        turns = (np.minimum(trip, ENDS) if ends else trip)[which]
        total = int(turns.sum())
        if total > MOST:
            raise Unsupported("more turns than can be compared")
        from_row = np.repeat(np.arange(count), turns)
        turn = np.arange(total) - np.repeat(np.cumsum(turns) - turns, turns)
        at = which[from_row]
        turn = np.where(turn == ENDS - 1, trip[at] - 1, turn) if ends else turn
        grown = {name: column[from_row] for name, column in table.items()}
        return grown | {self.names[number]: first[at] + step * turn}

    def _bounds(self, number: int, above: list[str], rows: Column) -> tuple[Column, int, Column]:
        """First values, step and trips of the loop in these rows of values of the variables above."""
        loop, integers = self._chain[number], integers_of(self._unit.source)
        local = self._local & {name for part in self._head(number) for name in identifiers(part)}
        columns = {name: rows[:, k] for k, name in enumerate(above)}
        try:
            scope = places_at(self._unit, loop, cast("Mapping[str, int]", columns if local else {}))
            return headers_of(loop, integers, scope.values | columns, len(rows))
        except Unsupported:
            return self._one_by_one(number, above, rows)

    def _one_by_one(self, number: int, above: list[str], rows: Column) -> tuple[Column, int, Column]:
        if len(rows) > ROWS:
            raise Unsupported("more bounds than can be computed")
        loop, integers = self._chain[number], integers_of(self._unit.source)
        points = (dict(zip(above, map(int, row), strict=True)) for row in rows)
        known = (places_at(self._unit, loop, point).values for point in points)
        found = [header_of(loop, integers, values) for values in known]
        if len({header.step for header in found}) > 1:
            raise Unsupported("a step that changes")
        return np.array([h.first for h in found]), found[0].step if found else 1, np.array([h.trip for h in found])


def _distinct(table: Mapping[str, Column], names: Sequence[str], count: int) -> tuple[Any, Any]:
    """The different rows of these columns, and which of them each row is."""
    if not names:
        return np.zeros((1, 0), np.int64), np.zeros(count, np.int64)
    return distinct([table[name] for name in names])
