"""Stretches of time on one thread: what lies in which loop, what is left over, which mark covers a moment."""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kernels.sandbox.spans import Span

Stretch = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Piece:
    """One stretch of a picture: nanoseconds since the start of the call."""

    thread: int
    label: str
    begin_ns: float
    end_ns: float


@dataclass(frozen=True, slots=True)
class Stretches:
    """In order, none overlapping."""

    begins: list[float]
    ends: list[float]

    @classmethod
    def of(cls, stretches: Sequence[Stretch]) -> "Stretches":
        return cls([begin for begin, _ in stretches], [end for _, end in stretches])

    def at(self, moment: float) -> int:
        """Number of the last one that has begun by then, -1 for none."""
        return bisect_right(self.begins, moment) - 1

    def around(self, begin: float, end: float) -> int:
        """Number of the one that holds all of [begin, end], -1 for none."""
        number = self.at(begin)
        return number if number >= 0 and end <= self.ends[number] else -1

    def within(self, begin: float, end: float) -> range:
        """Numbers of those that lie in [begin, end]."""
        return range(bisect_left(self.begins, begin), bisect_right(self.ends, end))


def alone(spans: Sequence[Span], loops: Sequence[Stretch], total: float) -> list[Piece]:
    """The time of one thread outside of loops, cut where marks begin and end, each piece under the innermost mark that
    covers it, "" for none. Neighbours of one name are joined."""
    found: list[Piece] = []
    marks = _Marks(spans)
    for begin, end in _gaps(loops, total):
        at = begin
        while at < end:
            name, until = marks.at(at)
            until = min(until, end)
            if found and (found[-1].label, found[-1].end_ns) == (name, at):
                found[-1] = Piece(0, name, found[-1].begin_ns, until)
            else:
                found.append(Piece(0, name, at, until))
            at = until
    return found


class _Marks:
    """Marks of one thread, asked for moments in rising order."""

    def __init__(self, spans: Sequence[Span]) -> None:
        changes = [(s.begin_ns, 1, s) for s in spans] + [(s.end_ns, 0, s) for s in spans]
        self._changes = deque(sorted(changes, key=lambda change: change[:2]))
        self._active: list[Span] = []

    def at(self, moment: float) -> tuple[str, float]:
        """Name of the innermost mark that covers the moment, and until when nothing changes."""
        while self._changes and self._changes[0][0] <= moment:
            _, opens, span = self._changes.popleft()
            self._active = [*self._active, span] if opens else [s for s in self._active if s is not span]
        name = max(self._active, key=lambda s: s.depth).name if self._active else ""
        return name, self._changes[0][0] if self._changes else float("inf")


def _gaps(taken: Sequence[Stretch], total: float) -> Iterator[Stretch]:
    """What is left of [0, total] between stretches in order."""
    at = 0.0
    for begin, end in taken:
        if begin > at:
            yield at, begin
        at = max(at, end)
    if at < total:
        yield at, total
