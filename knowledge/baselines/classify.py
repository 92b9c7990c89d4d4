"""The type of one statement from what moves its target and the factors of its value. Pure; by syntax, never by name.

- An element that is made from other elements of its own array, written before it: dynamic programming. Where neighbours
  on both sides are read: a stencil in place.
- A sum over loops that do not move the target: with two factors that are moved by different loops of the target, a
  product of matrices; with one such factor, a matrix times a vector; with none, a reduction. A window that slides with
  target and sum alike is a stencil.
- Else neighbours of one array make a stencil, and everything else is a map.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from knowledge.baselines.values import KernelType, Spot, Turn

EXTREMES: Final = ("max", "min")
NEAR: Final = 8  # turns between neighbours of a stencil


@dataclass(frozen=True, slots=True)
class Told:
    """One statement. target: None for a scalar; free: loops that move the target. reads: accesses of the value.
    factors: of each term, what moves them, and the accesses in them. operator: of the update, "" for a plain value."""

    target: Spot | None
    free: frozenset[int]
    turns: Sequence[Turn]
    reads: Sequence[Spot]
    factors: Sequence[Sequence[tuple[frozenset[int], Sequence[Spot]]]]
    operator: str


def type_of(told: Told) -> KernelType | None:
    """None for a scalar that only prepares a value."""
    target = told.target
    if target is not None and not target.known:
        return "other"
    summed = frozenset[int]().union(*(d for term in told.factors for d, _ in term)) - told.free
    own = [spot for spot in told.reads if target is not None and spot.root == target.root and _other(spot, target)]
    if target is not None and own:
        found = _recurrent(told, target, own, summed)
        if found is not None:
            return found
    if told.operator and summed:
        return _sum_type(told)
    if target is None:
        return None
    return "stencil" if has_neighbours(told.reads) else "map"


def _other(spot: Spot, target: Spot) -> bool:
    return not spot.known or spot.offset != target.offset or dict(spot.strides) != dict(target.strides)


def _recurrent(told: Told, target: Spot, own: Sequence[Spot], summed: Collection[int]) -> KernelType | None:
    """None when it is a sum of products like those over other arrays, as in a factorisation."""
    alike = [spot for spot in own if spot.known and dict(spot.strides) == dict(target.strides)]
    if len(alike) == len(own):
        ways = {_order(spot, target, told.turns) for spot in own}
        return "stencil" if ways >= {-1, 1} else "dynamic programming"
    if told.operator == "+" and summed and any(len(term) > 1 for term in told.factors):
        return None
    return "dynamic programming"


def _turns_between(spot: Spot, other: Spot) -> tuple[dict[int, int], int]:
    """By how many turns of each loop two accesses with the same strides are apart, and elements that are left."""
    left, distance = spot.offset - other.offset, dict[int, int]()
    for place, stride in sorted(other.strides.items(), key=lambda item: -abs(item[1])):
        distance[place] = round(left / stride)
        left -= distance[place] * stride
    return distance, left


def _order(spot: Spot, target: Spot, turns: Sequence[Turn]) -> int:
    """-1 for an element that was written before the target, 1 for one that comes later, 0 when nothing says."""
    distance, _ = _turns_between(spot, target)
    for place in sorted(distance):
        if distance[place]:
            way = 1 if distance[place] > 0 else -1
            return -way if turns[place].down else way
    return 0


def _sum_type(told: Told) -> KernelType:
    if told.operator in EXTREMES or not told.factors:
        return "reduction"
    kinds = {_term_type(told.free, term) for term in told.factors}
    order: tuple[KernelType, ...] = ("matmul-like", "streaming matvec", "stencil")
    return next((kind for kind in order if kind in kinds), "reduction")


def _term_type(free: frozenset[int], term: Sequence[tuple[frozenset[int], Sequence[Spot]]]) -> KernelType:
    """free: loops of the target; those that move every factor repeat the same sum, and say nothing."""
    moving = [(deps, spots) for deps, spots in term if deps - free]
    if len(moving) < 2:
        return "reduction"
    shared = free.intersection(*(deps for deps, _ in moving))
    own = [deps & free - shared for deps, _ in moving]
    if not any(own):
        return "reduction"
    if any(a - b and b - a for a, b in combinations(own, 2)):
        return "matmul-like"
    wide = max(range(len(own)), key=lambda number: len(own[number]))
    return "stencil" if any(_slides(spot, free) for spot in moving[wide][1]) else "streaming matvec"


def _slides(spot: Spot, free: frozenset[int]) -> bool:
    """Whether a loop of the target and one of the sum move it alike."""
    own = {stride for place, stride in spot.strides.items() if place in free}
    return any(stride in own for place, stride in spot.strides.items() if place not in free)


def has_neighbours(reads: Sequence[Spot]) -> bool:
    """Two accesses of one array that meet in different turns: a few whole turns lie between them."""
    return any(_near(one, other) for one, other in combinations(reads, 2))


def _near(one: Spot, other: Spot) -> bool:
    alike = one.root == other.root and one.known and other.known and dict(one.strides) == dict(other.strides)
    if not alike or one.offset == other.offset:
        return False
    distance, left = _turns_between(one, other)
    return bool(distance) and not left and all(abs(turns) <= NEAR for turns in distance.values())
