"""Lists which elements the statements of a loop nest read, write and update, on some of its iterations.

Sizes are the true ones (unknown ones are large). Each loop runs its first and last iterations, those near the values of
the loops around the nest, and those that are a constant of the subscripts away from its ends (`distances.py`), so a
dependence shows when its iterations are near each other, stand at the ends, or are a written distance apart.
Branches whose condition is no integer expression count as taken both ways. Arrays that nothing writes leave no events.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.places import Path, Place
from kernels.levers.unit import Unit, node_at, unit_of

MOST_EVENTS: Final = 30_000
SAMPLES: Final = {1: (4, 3), 2: (4, 3), 3: (3, 1), 4: (3, 1)}  # by depth of the nest: first and last iterations
FEW: Final = (2, 1)


@dataclass(frozen=True, slots=True)
class Event:
    """One access of one element. kind: read, write, or the operator of an update. at: where it stands in the source.

    path: number of the statement, value of the loop's variable (negated in loops that count down), number of the
    statement in its body, ... down to the access: paths sort as the program runs.
    """

    root: str
    instance: Path
    offset: int
    kind: str
    path: Path
    at: int = 0

    @property
    def cell(self) -> tuple[str, Path, int]:
        return self.root, self.instance, self.offset


class TooLarge(Unsupported):
    """More accesses than are looked at."""


class Record:
    """The events of one run, in order."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def note(self, place: Place, kind: str, path: Path, at: int) -> None:
        """Raises: Unsupported when there are too many."""
        if len(self.events) + place.lanes > MOST_EVENTS:
            raise TooLarge("a nest that is too large to be traced")
        for lane in range(place.lanes):
            self.events.append(Event(place.root, place.instance, place.offset + lane, kind, path, at))


def trace(unit: Unit, nodes: Sequence[Node]) -> tuple[Event, ...]:
    """Events of neighbouring statements, in their order. Raises: Unsupported."""
    found = _traced(unit.source, tuple((n.start_byte, n.end_byte) for n in nodes))
    if isinstance(found, str):
        raise Unsupported(found)
    return found


@lru_cache(maxsize=1024)
def _traced(source: str, ranges: tuple[tuple[int, int], ...]) -> tuple[Event, ...] | str:
    from kernels.levers.nests.runner import Runner

    unit = unit_of(source)
    nodes = [node_at(unit, r) for r in ranges]
    try:
        try:
            return tuple(Runner(unit, nodes).run())
        except TooLarge:
            return tuple(Runner(unit, nodes, far=False).run())
    except Unsupported as reason:
        return str(reason) or "unknown"


def depth(node: Node) -> int:
    """Loops inside of loops, the node included."""
    below = max((depth(child) for child in node.children), default=0)
    return below + (node.type == "for_statement")
