"""Lists which elements the statements of a loop nest read, write and update, on some of its iterations.

Sizes are the true ones; unknown ones are large, and those that only shift a subscript small as well (`worlds.py`).
Each loop runs its first and last iterations, those near the values of the loops around the nest, and those that are a
constant of the subscripts away from its ends (`distances.py`), so a dependence shows when its iterations are near each
other, stand at the ends, or are a written distance apart.
Branches whose condition is no integer expression count as taken both ways. Arrays that nothing writes leave no events.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.events import Event, TooLarge
from kernels.levers.nests.runner import Runner
from kernels.levers.nests.worlds import World, around, guesses
from kernels.levers.unit import Unit, node_at, unit_of


def trace(unit: Unit, nodes: Sequence[Node]) -> tuple[Event, ...]:
    """Events of neighbouring statements, in their order. Raises: Unsupported."""
    found = _traced(unit.source, tuple((n.start_byte, n.end_byte) for n in nodes))
    if isinstance(found, str):
        raise Unsupported(found)
    return found


@lru_cache(maxsize=1024)
def _traced(source: str, ranges: tuple[tuple[int, int], ...]) -> tuple[Event, ...] | str:
    unit = unit_of(source)
    nodes = [node_at(unit, r) for r in ranges]
    try:
        first = Runner(unit, nodes, World())
        places = [] if first.alike else around(unit, nodes)
        worlds = [World(), *map(World.guessing, guesses(unit, nodes)), *map(World, places)]
        found = [_run(unit, nodes, number, world) for number, world in enumerate(worlds)]
        return tuple(event for events in found for event in events)
    except Unsupported as reason:
        return str(reason) or "unknown"


def _run(unit: Unit, nodes: list[Node], number: int, world: World) -> Iterator[Event]:
    """Of one world; its elements are others than those of another world."""
    try:
        found = Runner(unit, nodes, world).run()
    except TooLarge:
        found = Runner(unit, nodes, world, far=False).run()
    return (replace(event, instance=(-number, *event.instance)) if number else event for event in found)
