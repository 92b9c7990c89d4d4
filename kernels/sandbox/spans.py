"""Marks of one profiled call: KW_SPAN_BEGIN and KW_SPAN_END of the kernel header, joined to spans.

Each thread's share of a parallel loop is a span as well, from the harness's pool: `parallel N`, with the same N for the
same loop body.

The layout is `struct kw_spans` of `kernels/targets/cpu_c/native/spans.h`. The candidate's process writes it: a
diagnostic, never a result.
"""

import os
import struct
from dataclasses import dataclass
from typing import Final

MAGIC: Final = 0x4B575350
NAMES, NAME_BYTES, MARKS, THREADS = 64, 32, 4096, 64
SHARE: Final = "parallel "
"""How the pool's own names begin; an identifier has no blank."""
DEPTH: Final = 64
"""Spans within spans; what is opened deeper is left out."""
_HEAD: Final = struct.Struct("<IIQQQQ")
_COUNT: Final = struct.Struct("<Q")
_MARK: Final = struct.Struct("<QII")
_PER_THREAD: Final = _COUNT.size + MARKS * _MARK.size
SIZE: Final = _HEAD.size + NAMES * NAME_BYTES + THREADS * _PER_THREAD


@dataclass(frozen=True, slots=True)
class Span:
    """Nanoseconds since the start of the call. depth: how many spans of the thread were open around it."""

    thread: int
    name: str
    begin_ns: float
    end_ns: float
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Timeline:
    """total_ns: the whole call, by the runner's clock. lost: marks beyond what a thread can keep."""

    spans: tuple[Span, ...]
    total_ns: int
    lost: int = 0


@dataclass(frozen=True, slots=True)
class _Scale:
    tick: int
    ns_per_tick: float

    def ns(self, tick: int) -> float:
        return (tick - self.tick) * self.ns_per_tick


def make_memory() -> int:
    """A descriptor of zeroed memory for the marks."""
    descriptor = os.memfd_create("marks", os.MFD_CLOEXEC)
    os.ftruncate(descriptor, SIZE)
    return descriptor


def read(descriptor: int) -> Timeline:
    """The last call's spans by thread and begin; marks without a partner are left out."""
    raw = os.pread(descriptor, SIZE, 0)
    magic, count, clock0, clock1, tick0, tick1 = _HEAD.unpack_from(raw)
    if magic != MAGIC or tick1 <= tick0:
        return Timeline((), 0)
    names = [_name(raw, i) for i in range(min(count, NAMES))]
    scale = _Scale(tick0, (clock1 - clock0) / (tick1 - tick0))
    spans: list[Span] = []
    lost = 0
    for thread in range(THREADS):
        at = _HEAD.size + NAMES * NAME_BYTES + thread * _PER_THREAD
        (marks,) = _COUNT.unpack_from(raw, at)
        lost += max(marks - MARKS, 0)
        spans += _joined(raw[at + _COUNT.size : at + _PER_THREAD], min(marks, MARKS), thread, names, scale)
    return Timeline(tuple(spans), clock1 - clock0, lost)


def _name(raw: bytes, index: int) -> str:
    at = _HEAD.size + index * NAME_BYTES
    return raw[at : at + NAME_BYTES].partition(b"\0")[0].decode(errors="replace")


def _joined(raw: bytes, count: int, thread: int, names: list[str], scale: _Scale) -> list[Span]:
    """Ends meet the latest open begin of their name."""
    open_marks: list[tuple[str, int]] = []
    spans: list[Span] = []
    for tick, number, begins in (_MARK.unpack_from(raw, i * _MARK.size) for i in range(count)):
        name = names[number] if number < len(names) else "?"
        if begins:
            if len(open_marks) < DEPTH:
                open_marks.append((name, tick))
            continue
        at = next((i for i in range(len(open_marks) - 1, -1, -1) if open_marks[i][0] == name), None)
        if at is not None:
            _, began = open_marks.pop(at)
            spans.append(Span(thread, name, scale.ns(began), scale.ns(tick), at))
    return sorted(spans, key=lambda span: span.begin_ns)
