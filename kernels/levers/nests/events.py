"""The accesses of one run over a nest, kept in the order in which they happen."""

from dataclasses import dataclass
from typing import Final

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.places import Path, Place

MOST_EVENTS: Final = 100_000


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
