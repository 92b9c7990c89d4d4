"""Whether a new order of a nest's accesses is as good as the old one, and what a loop carries from turn to turn.

The accesses of one element fall into epochs: reads between two writes, updates by one operator in a row, each plain
write alone. Within an epoch the order is free (sums and products may be rounded otherwise), between epochs it is not.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kernels.levers.nests.events import Event
from kernels.levers.nests.places import Path

Key = Callable[[Event], tuple[int, ...]]
FREE = ("read", "write")


def keeps_order(events: Iterable[Event], key: Key) -> bool:
    """Whether every element meets its epochs in the same order when the events are sorted by the key."""
    return all(_kept(cell, key) for cell in by_cell(events))


def by_cell(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Events of each element that is written, in order."""
    cells: dict[object, list[Event]] = defaultdict(list)
    for event in events:
        cells[event.cell].append(event)
    return (found for found in cells.values() if any(e.kind != "read" for e in found))


def epochs(events: Sequence[Event]) -> list[int]:
    """The epoch of each event of one element."""
    found, epoch, last = list[int](), 0, ""
    for event in events:
        if last and (event.kind != last or event.kind == "write"):
            epoch += 1
        found.append(epoch)
        last = event.kind
    return found


def _kept(events: list[Event], key: Key) -> bool:
    placed = sorted(zip(map(key, events), range(len(events)), epochs(events), strict=True))
    order = [epoch for _, _, epoch in placed]
    return all(a <= b for a, b in pairwise(order))


@dataclass(frozen=True, slots=True)
class Carried:
    """What meets in different turns of a loop. reduced: names that all turns update by one operator; blocked: names
    whose turns depend on each other's order."""

    reduced: dict[str, str]
    blocked: frozenset[str]

    @property
    def nothing(self) -> bool:
        return not self.reduced and not self.blocked


def carried(events: Iterable[Event], level: int = 0) -> Carried:
    """Of the loop whose turns stand at place 2 * level + 1 of the paths. What is also used otherwise there, wherever it
    is, is no sum: a thread that adds up for itself has not the array's own elements."""
    at, events = 2 * level + 1, list(events)
    reduced: dict[str, str] = {}
    blocked: set[str] = set()
    for cell in by_cell(events):
        for group in _groups(cell, at):
            kinds = {e.kind for e in group}
            if len({e.path[at] for e in group}) < 2 or kinds == {"read"}:
                continue
            kind = kinds.pop() if len(kinds) == 1 else "write"
            if kind == "write" or reduced.setdefault(group[0].root, kind) != kind:
                blocked.add(group[0].root)
    blocked |= {e.root for e in events if len(e.path) > at and e.kind != reduced.get(e.root, e.kind)}
    return Carried({k: v for k, v in reduced.items() if k not in blocked}, frozenset(blocked))


def _groups(cell: list[Event], at: int) -> Iterable[list[Event]]:
    """The events of one instance of the loop each."""
    groups: dict[Path, list[Event]] = defaultdict(list)
    for event in cell:
        if len(event.path) > at:
            groups[event.path[:at]].append(event)
    return groups.values()
