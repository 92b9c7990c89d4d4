"""The shape of one call: its parallel loops one after the other, and what the first thread did alone between them.

The pool's own marks are the backbone: a loop lasts from the first thread's begin until its last thread is done. Marks
of the source give loops their names and divide the serial time. Rows of a shape add up to the whole call.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from kernels.profiling.lanes import Piece, Stretches, alone
from kernels.sandbox.spans import SHARE, Span, Timeline

Kind = Literal["parallel", "serial"]
APART: Final = 12  # loops of a call that have a row each; with more, those of one name share a row
SERIAL: Final = "serial"
WORTH: Final = 0.01  # of the call: an unmarked serial stretch from which it has a row of its own


@dataclass(frozen=True, slots=True)
class Row:
    """One span of a call. label: how the source calls it, else the pool's name; a loop's second time in a call is
    "label (2)". Serial time without a mark is "before label" or "after label", short stretches together "serial".

    wall_ns: of the call's time, summed over `count` times. busy_ns: by thread. loop: the pool's name of the loop body,
    "" for serial; first: how many parallel loops ran before its first time; mark: the source's mark around serial time.
    parts: nanoseconds by name where the source marks several things inside one loop, over all threads.
    """

    label: str
    kind: Kind
    wall_ns: float
    busy_ns: tuple[float, ...]
    count: int = 1
    loop: str = ""
    first: int = 0
    mark: str = ""
    parts: tuple[tuple[str, float], ...] = ()

    @property
    def longest_ns(self) -> float:
        return max(self.busy_ns)

    @property
    def mean_ns(self) -> float:
        """Over all threads, those that got nothing included."""
        return sum(self.busy_ns) / len(self.busy_ns)


@dataclass(frozen=True, slots=True)
class Shape:
    """total_ns: the call by the runner's clock. pieces: what a picture of it shows. loops: how often a parallel loop
    ran. lost: marks that were not kept."""

    total_ns: float
    threads: int
    rows: tuple[Row, ...]
    pieces: tuple[Piece, ...]
    loops: int = 0
    lost: int = 0


@dataclass(slots=True)
class _Work:
    """One time that something was done; shares are what each thread had of it. loop: the pool's name, "" for serial."""

    begin: float
    end: float
    shares: list[Span]
    loop: str = ""
    number: int = 0
    label: str = ""
    mark: str = ""
    parts: dict[str, float] = field(default_factory=dict)


def shape_of(timeline: Timeline, threads: int) -> Shape:
    """Raises: ValueError when the marks contradict each other; they were written by the candidate's process."""
    total = float(timeline.total_ns)
    if total <= 0:
        raise ValueError(f"the call took {total:.0f} ns by its marks")
    spans = [_checked(span, total) for span in timeline.spans if span.thread < threads]
    own = [s for s in spans if not s.name.startswith(SHARE)]
    loops = _loops([s for s in spans if s.name.startswith(SHARE)])
    _name(loops, own)
    work = [*loops, *_serial(loops, [s for s in own if s.thread == 0], total)]
    pieces = [Piece(s.thread, one.label, s.begin_ns, s.end_ns) for one in work for s in one.shares]
    pieces.sort(key=lambda p: (p.thread, p.begin_ns))
    return Shape(total, threads, _rows(work, threads), tuple(pieces), len(loops), timeline.lost)


def _checked(span: Span, total: float) -> Span:
    """Within the call but for what the clocks differ by. Raises: ValueError."""
    slack = 0.01 * total + 1000.0
    if not -slack <= span.begin_ns <= span.end_ns <= total + slack:
        raise ValueError(f"a span of {span.begin_ns:.0f} .. {span.end_ns:.0f} ns in a call of {total:.0f} ns")
    begin = min(max(span.begin_ns, 0.0), total)
    return Span(span.thread, span.name, begin, max(begin, min(span.end_ns, total)), span.depth)


def _loops(shares: Sequence[Span]) -> list[_Work]:
    """Each share of the first thread opens a loop; a share of another belongs to the loop that was open at its middle:
    it cannot begin before it, nor end after the next has begun."""
    first = sorted((s for s in shares if s.thread == 0), key=lambda s: s.begin_ns)
    found = [_Work(s.begin_ns, s.end_ns, [s], s.name, number) for number, s in enumerate(first)]
    begun = Stretches.of([(one.begin, one.end) for one in found])
    for share in shares:
        number = begun.at((share.begin_ns + share.end_ns) / 2) if share.thread else -1
        if number >= 0:
            found[number].shares.append(share)
    for one, following in zip(found, [*begun.begins[1:], float("inf")], strict=False):
        one.end = min(max(s.end_ns for s in one.shares), following)
    return found


def _name(loops: Sequence[_Work], own: Sequence[Span]) -> None:
    """By the one mark inside, else by the innermost mark around this loop alone, else by the pool's name."""
    stretches = Stretches.of([(one.begin, one.end) for one in loops])
    around: dict[int, str] = {}
    for span in sorted(own, key=lambda s: s.depth):
        number = stretches.around(span.begin_ns, span.end_ns)
        if number >= 0:
            _add(loops[number].parts, span.name, span.end_ns - span.begin_ns)
        elif span.thread == 0 and len(held := stretches.within(span.begin_ns, span.end_ns)) == 1:
            around[held[0]] = span.name
    seen: Counter[str] = Counter()
    for number, one in enumerate(loops):
        names = list(one.parts)
        one.label = names[0] if len(names) == 1 else around.get(number, one.loop)
        if len(names) < 2:
            one.parts.clear()
        seen[one.label] += 1
        if len(loops) <= APART and seen[one.label] > 1:
            one.label = f"{one.label} ({seen[one.label]})"


def _serial(loops: Sequence[_Work], own: Sequence[Span], total: float) -> list[_Work]:
    """The first thread's time outside all loops, each moment under the innermost mark that covers it."""
    begun = Stretches.of([(one.begin, one.end) for one in loops])
    found: list[_Work] = []
    for piece in alone(own, [(one.begin, one.end) for one in loops], total):
        number = begun.at(piece.begin_ns) + 1
        worth = len(loops) <= APART and piece.end_ns - piece.begin_ns >= WORTH * total
        label = _serial_label(piece.label, number if worth else -1, [one.label for one in loops])
        share = Span(0, piece.label, piece.begin_ns, piece.end_ns)
        found.append(_Work(piece.begin_ns, piece.end_ns, [share], number=number, label=label, mark=piece.label))
    return found


def _serial_label(mark: str, number: int, loops: Sequence[str]) -> str:
    """number: of the loop that follows, -1 to say none. A mark around a loop names that loop; what is serial inside of
    the mark is told apart."""
    if mark:
        return f"{mark}, {SERIAL}" if mark in loops else mark
    if number < 0 or not loops:
        return SERIAL
    return f"before {loops[number]}" if number < len(loops) else f"after {loops[-1]}"


def _add(sums: dict[str, float], name: str, ns: float) -> None:
    sums[name] = sums.get(name, 0.0) + ns


def _rows(work: Sequence[_Work], threads: int) -> tuple[Row, ...]:
    """By label, in the order of their first time."""
    grouped: dict[tuple[str, str], list[_Work]] = {}
    for one in sorted(work, key=lambda w: w.begin):
        grouped.setdefault((one.label, one.loop), []).append(one)
    return tuple(_row(times, threads) for times in grouped.values())


def _row(times: Sequence[_Work], threads: int) -> Row:
    first = times[0]
    busy = [0.0] * threads
    parts: dict[str, float] = {}
    for one in times:
        for span in one.shares:
            busy[span.thread] += span.end_ns - span.begin_ns
        for name, ns in one.parts.items():
            _add(parts, name, ns)
    wall = sum(one.end - one.begin for one in times)
    kind: Kind = "parallel" if first.loop else "serial"
    return Row(
        first.label, kind, wall, tuple(busy), len(times), first.loop, first.number, first.mark, tuple(parts.items())
    )  # fmt: skip
