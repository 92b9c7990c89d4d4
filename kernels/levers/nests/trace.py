"""Lists which elements the statements of a loop nest read, write and update, on some of its iterations.

Sizes are the true ones; unknown ones are large, and those that only shift a subscript small as well (`worlds.py`).
Arrays whose accesses all move alike show there how they depend on each other; where others meet is computed
(`meetings.py`), and those turns are run as well.
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
from kernels.levers.nests.meetings import meetings
from kernels.levers.nests.runner import Runner
from kernels.levers.nests.worlds import World, guesses
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
        worlds = [World(guesses=values) for values in ({}, *guesses(unit, nodes))]
        unlike = Runner(unit, nodes, worlds[0]).unlike
        met = meetings(unit, nodes, unlike) if unlike else {}
        worlds += [World(around=dict(around), turns=turns) for around, turns in met.items()]
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
