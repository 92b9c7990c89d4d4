"""Which elements an access reaches in which turns of the loops around it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, cast

import numpy as np
from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.domains import Domain
from kernels.levers.nests.headers import Column
from kernels.levers.nests.integers import integers_of
from kernels.levers.nests.places import Place, Places
from kernels.levers.nests.plain import near
from kernels.levers.nests.rows import distinct
from kernels.levers.nests.scopes import places_at
from kernels.levers.syntax import enclosing, field, identifiers, same, strip_parentheses, text_of, within
from kernels.levers.unit import Unit

ONE_BY_ONE: Final = 10_000
"""Turns of which a place is computed that is no sum of products."""
PROBES: Final = 5
STATEMENTS: Final = ("expression_statement", "declaration", "for_statement", "if_statement")


@dataclass(frozen=True, slots=True)
class Reached:
    """Row by row a turn and the element that the access reaches in it; several rows for a vector."""

    turns: dict[str, Column]
    offsets: Column


class Access:
    """One access below the loops of a chain, outer first."""

    def __init__(self, unit: Unit, node: Node, chain: Sequence[Node]) -> None:
        self._unit, self.node, self.chain = unit, node, tuple(chain)
        self._domain = Domain(unit, chain)
        self._conditions = list(_conditions(node, chain))
        self.moved = self._domain.moved_by(node, *(condition for condition, _ in self._conditions))
        self._known: dict[tuple[frozenset[str], frozenset[int] | None], Reached] = {}

    @property
    def stores(self) -> bool:
        """Whether it is assigned to."""
        inner, above = self.node, self.node.parent
        while above is not None and above.type == "parenthesized_expression":
            inner, above = above, above.parent
        if above is None or above.type not in ("assignment_expression", "update_expression"):
            return False
        target = field(above, "left") or field(above, "argument")
        return target is not None and same(target, inner)

    @property
    def branches(self) -> tuple[tuple[str, bool], ...]:
        """Texts of the conditions under which it happens, and whether they are to hold."""
        return tuple((text_of(condition), taken) for condition, taken in self._conditions)

    @cached_property
    def marks(self) -> set[int] | None:
        """What says where turns stand for all others, when it is plain and no branch is taken."""
        return None if self._conditions else self._domain.marks(self.node)

    @cached_property
    def drift(self) -> int | None:
        """By how much the place moves when every integer whose value is a guess grows by one; None when unevenly."""
        turns = self._domain.columns(set())
        last = _rows(turns) - 1
        if last < 0:
            return 0
        some = [{name: int(column[row]) for name, column in turns.items()} for row in {0, last // 2, last}]
        found = {self._drifted(turn) for turn in some}
        return found.pop() if len(found) == 1 else None

    def _drifted(self, turn: dict[str, int]) -> int:
        scope = self._scope(turn)
        guessed = {name: scope.values[name] + 1 for name in scope.unknown if name not in self._domain.changed}
        return self._scope({**turn, **guessed}).element(self.node).offset - scope.element(self.node).offset

    def reached(self, needed: set[str], marks: set[int] | None) -> Reached:
        """In all turns, or in those near the marks, as far as these variables matter. Raises: Unsupported."""
        wanted = frozenset(needed & set(self._domain.names)), frozenset(marks) if marks is not None else None
        if wanted not in self._known:
            self._known[wanted] = self._reached(set(wanted[0]), near(marks) if marks is not None else None)
        return self._known[wanted]

    def _reached(self, needed: set[str], some: Column | None) -> Reached:
        if self._domain.changed & identifiers(self.node):
            raise Unsupported(f"a place that depends on what the loops change: {text_of(self.node)[:40]}")
        turns = self._domain.columns(needed, some)
        kept = np.ones(_rows(turns), bool)
        for condition, taken in self._conditions:
            kept &= self._taken(condition, turns, holds=taken)
        turns = {name: column[kept] for name, column in turns.items()}
        count = int(kept.sum())
        offsets = self._computed(turns, count, lambda scope: scope.element(self.node).offset) if count else kept[:0] * 1
        return self._in_lanes(turns, offsets)

    def _in_lanes(self, turns: dict[str, Column], offsets: Column) -> Reached:
        lanes = self._place({name: int(column[0]) for name, column in turns.items()}).lanes if len(offsets) else 1
        every = (offsets[:, None] + np.arange(lanes)).ravel()
        return Reached({name: np.repeat(column, lanes) for name, column in turns.items()}, every)

    def _taken(self, condition: Node, turns: dict[str, Column], *, holds: bool) -> Column:
        """Whether the branch is taken; always, where data says it. Raises: Unsupported when it cannot be computed."""
        integers, count = integers_of(self._unit.source), _rows(turns)
        every = np.ones(count, bool)
        if not count or self._domain.changed & identifiers(condition):
            return every
        try:
            integers.evaluate(condition, self._scope({name: int(column[0]) for name, column in turns.items()}).values)
        except Unsupported:
            return every
        return (self._computed(turns, count, lambda scope: integers.evaluate(condition, scope.values)) != 0) == holds

    def _computed(self, turns: dict[str, Column], count: int, value: Callable[[Places], Any]) -> Column:
        """At once where the expression allows it, else turn by turn."""
        try:
            found = np.broadcast_to(value(self._scope(turns)), (count,)).astype(np.int64)
        except Unsupported:
            return self._one_by_one(turns, count, value)
        probes = {0, count - 1, int(found.argmin()), int(found.argmax()), *range(0, count, max(count // PROBES, 1))}
        for row in probes:
            if value(self._scope({name: int(column[row]) for name, column in turns.items()})) != found[row]:
                raise Unsupported("a place too far away to be computed")
        return found

    def _one_by_one(self, turns: dict[str, Column], count: int, value: Callable[[Places], Any]) -> Column:
        moving = sorted(self.moved)
        columns = [turns[name] for name in moving]
        rows, which = distinct(columns) if columns else (np.zeros((1, 0), np.int64), np.zeros(count, np.int64))
        if len(rows) > ONE_BY_ONE:
            raise Unsupported("more places than can be computed")
        rest = {name: int(column[0]) for name, column in turns.items()}
        scope = self._scope(rest)
        found = []
        for row in rows:
            here = rest | dict(zip(moving, map(int, row), strict=True))
            if set(moving) == set(turns):
                scope = self._scope(here)
            scope.values |= here
            found.append(value(scope))
        return np.array(found, np.int64)[which]

    def _place(self, turn: Mapping[str, int]) -> Place:
        return self._scope(turn).element(self.node)

    def _scope(self, turn: Mapping[str, Any]) -> Places:
        above = enclosing(self.node, *STATEMENTS)
        return places_at(self._unit, above if above is not None else self.node, cast("Mapping[str, int]", turn))


def _rows(turns: Mapping[str, Column]) -> int:
    return len(next(iter(turns.values()))) if turns else 1


def _conditions(node: Node, chain: Sequence[Node]) -> Iterator[tuple[Node, bool]]:
    """Conditions of the branches in which the node stands, and whether they are to hold."""
    above = node.parent
    while above is not None and not (chain and same(above, chain[0])):
        condition, then = field(above, "condition"), field(above, "consequence")
        parts = (condition, then) if above.type == "if_statement" else (None, None)
        if parts[0] is not None and parts[1] is not None and not within(node, parts[0]):
            yield strip_parentheses(parts[0]), within(node, parts[1])
        above = above.parent
