"""Where in a nest accesses that do not move alike meet: turns that are run besides the sampled ones.

All turns of both are computed and their elements compared. Of the meetings of every kind (who comes first, loop by
loop, and how far off) a few are kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.headers import Column, variable_of
from kernels.levers.nests.reached import Access, Reached
from kernels.levers.nests.scopes import loops_above
from kernels.levers.nests.uniform import elements
from kernels.levers.nests.worlds import Turns
from kernels.levers.syntax import field, root_name, text_of, within
from kernels.levers.unit import Unit

MOST: Final = 4_000_000
"""Meetings of two accesses."""
LARGEST: Final = 1 << 62
CLOSE: Final = 3
"""Turns that are this far off, or further, are of one kind."""
GROUPS: Final = (6, 2)
"""Closer ones are kept once for each place in groups of so many turns of the outermost loop, and of the others."""


@dataclass(frozen=True, slots=True)
class Side:
    """Rows of one access, and the numbers of loops around the nest."""

    access: Access
    reached: Reached
    above: int

    @property
    def names(self) -> list[str]:
        return [variable_of(loop) for loop in self.access.chain]

    def values(self, rows: Column, level: int) -> Column:
        """Of the variable at this level inside of the nest."""
        return self.reached.turns[self.names[self.above + level]][rows]

    @property
    def depth(self) -> int:
        return len(self.access.chain) - self.above


def meetings(unit: Unit, nodes: Sequence[Node], arrays: Mapping[str, str]) -> dict[tuple[tuple[str, int], ...], Turns]:
    """By values of the variables of the loops around the nest, the turns that are to be run.

    arrays: names of arrays, and of pointers into them, with the arrays.

    Raises: Unsupported when it cannot be told where accesses meet.
    """
    above = loops_above(nodes[0])
    found: dict[tuple[tuple[str, int], ...], Turns] = {}
    for one, other in _pairs(unit, nodes, arrays):
        if one.drift is None or one.drift != other.drift:
            raise Unsupported("places whose distance is not known")
        needed = one.moved | other.moved
        marks = one.marks | other.marks if one.marks is not None and other.marks is not None else None
        sides = [Side(access, access.reached(needed, marks), len(above)) for access in (one, other)]
        rows, others = _met(*sides)
        if one is other:
            rows, others = rows[rows < others], others[rows < others]
        for row, far in _kinds(*sides, rows, others):
            for side, number in zip(sides, (row, far), strict=True):
                _note(found, side, number)
    return found


def _pairs(unit: Unit, nodes: Sequence[Node], arrays: Mapping[str, str]) -> Iterator[tuple[Access, Access]]:
    """Of accesses to one array, of which one stores; one of each spelling in a loop."""
    by_array: dict[str, dict[object, Access]] = {}
    for node in (inner for n in nodes for inner in elements(n)):
        root = arrays.get(root_name(node), "")
        if root:
            chain = _chain(node)
            access = Access(unit, node, chain)
            key = text_of(node), access.stores, tuple(loop.start_byte for loop in chain), access.branches
            by_array.setdefault(root, {}).setdefault(key, access)
    for accesses in by_array.values():
        pairs = combinations_with_replacement(accesses.values(), 2)
        yield from ((one, other) for one, other in pairs if one.stores or other.stores)


def _chain(node: Node) -> list[Node]:
    """The loops in whose bodies it stands, outer first."""
    return [loop for loop in loops_above(node) if within(node, field(loop, "body") or loop)]


def _met(one: Side, other: Side) -> tuple[Column, Column]:
    """Rows of both that reach one element, pair by pair, in the same turn of the loops around the nest."""
    mine, yours = _keys(one, other)
    if not len(mine) or not len(yours):
        return mine[:0], yours[:0]
    order = np.flatnonzero((yours >= mine.min()) & (yours <= mine.max()))
    order = order[np.argsort(yours[order], kind="stable")]
    first, last = (np.searchsorted(yours[order], mine, side) for side in ("left", "right"))
    counts = last - first
    total = int(counts.sum())
    if total > MOST:
        raise Unsupported("more meetings than can be compared")
    within_one = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(np.arange(len(mine)), counts), order[np.repeat(first, counts) + within_one]


def _keys(one: Side, other: Side) -> list[Column]:
    """One number for an element and a turn of the loops around."""
    keys, span = [one.reached.offsets, other.reached.offsets], 1
    columns = [keys] + [[side.reached.turns[name] for side in (one, other)] for name in one.names[: one.above]]
    found = [np.zeros_like(key) for key in keys]
    if not all(len(key) for key in keys):
        return found
    for pair in columns:
        low, high = min(int(c.min()) for c in pair), max(int(c.max()) for c in pair)
        found = [key + (column - low) * span for key, column in zip(found, pair, strict=True)]
        span *= high - low + 1
        if span > LARGEST:
            raise Unsupported("places too far apart to be compared")
    return found


def _kinds(one: Side, other: Side, rows: Column, others: Column) -> set[tuple[int, int]]:
    """A few meetings of each kind."""
    if not len(rows):
        return set()
    kind, sign = np.zeros_like(rows), np.zeros_like(rows)
    levels = range(min(one.depth, other.depth))
    away = [one.values(rows, level) - other.values(others, level) for level in levels]
    for level in levels:
        groups = GROUPS[min(level, len(GROUPS) - 1)]
        near = np.clip(away[level], -CLOSE, CLOSE)
        place = np.where((near != 0) & (abs(near) < CLOSE), one.values(rows, level) % groups, 0)
        kind = kind * (2 * CLOSE + 1) * groups + (near + CLOSE) * groups + place
        sign = sign * 3 + np.sign(near) + 1
    chosen = set(np.unique(kind, return_index=True)[1].tolist())
    for each in np.unique(sign):
        same_kind = np.flatnonzero(sign == each)
        chosen |= {int(same_kind[-1])}
        chosen |= {int(same_kind[end(a[same_kind])]) for a in away for end in (np.argmin, np.argmax)}
    return {(int(rows[k]), int(others[k])) for k in chosen}


def _note(found: dict[tuple[tuple[str, int], ...], Turns], side: Side, row: int) -> None:
    values = [(name, int(side.reached.turns[name][row])) for name in side.names]
    turns = found.setdefault(tuple(values[: side.above]), {})
    inside = tuple(value for _, value in values[side.above :])
    for level, loop in enumerate(side.access.chain[side.above :]):
        turns.setdefault((loop.start_byte, inside[:level]), set()).add(inside[level])
