"""One pair with its evidence as a page, and the pairs of a test as a table. Pure."""

from collections.abc import Mapping
from typing import Final

from app.views import Line, Tone, columns, duration_ns, fit, gain, moment, wrap
from store.views import PairView, TestView

ENVIRONMENT: Final[Mapping[str, str]] = {
    "realtime": "FIFO", "level": "sandbox", "clock_mhz": "clock, MHz", "load": "load", "foreign": "load of others",
    "pages": "pages", "round_trip_ns": "round trip, ns",
}  # fmt: skip


def pair_columns(width: int) -> list[tuple[str, int]]:
    chosen = [("pair", -4), ("first", 5)]
    if width >= 52:
        chosen += [("head", -8), ("cand.", -8)]
    chosen.append(("gain", -8))
    if width >= 62:
        chosen.append(("GB/s", -6))
    return [*chosen, ("note", max(8, width - sum(abs(size) + 1 for _, size in chosen)))]


def pair_title(width: int) -> Line:
    return columns((title, size, "dim") for title, size in pair_columns(width))


def pair_row(pair: PairView, width: int) -> Line:
    """gain: 1 - candidate / head of this pair alone."""
    note = f"! redo: {pair.redo_reason}" if pair.redo_reason else pair.mode
    tone: Tone = "warn" if pair.redo_reason else "good" if pair.log_ratio > 0 else ""
    cells: dict[str, tuple[str, Tone]] = {
        "pair": (str(pair.seq + 1), ""), "first": (pair.first[:4], "dim"), "head": (duration_ns(pair.head_ns), ""),
        "cand.": (duration_ns(pair.candidate_ns), ""), "gain": (gain(_gain(pair)), tone),
        "GB/s": (f"{pair.probe_gbs:.1f}" if pair.probe_gbs else "-", "dim"),
        "note": (note, "warn" if pair.redo_reason else "dim"),
    }  # fmt: skip
    return columns((cells[title][0], size, cells[title][1]) for title, size in pair_columns(width))


def _gain(pair: PairView) -> float | None:
    return 1.0 - pair.candidate_ns / pair.head_ns if pair.head_ns > 0 else None


def pair_page(test: TestView, pair: PairView, width: int) -> list[Line]:
    """Everything that was written down of one pair."""
    lines: list[Line] = [
        *_named("this pair", "kept" if not pair.redo_reason else f"redone, does not count: {pair.redo_reason}", width),
        *_named("order", f"{pair.first} first, by the coin of seed {test.seed or '-'}", width),
        *_named("head", _reading(pair.head_ns, pair.head_reading), width),
        *_named("candidate", _reading(pair.candidate_ns, pair.candidate_reading), width),
        *_named("gain", f"{gain(_gain(pair))} (log ratio {pair.log_ratio:+.5f})", width),
        *(row for name in pair.head_shapes for row in _named(f"at {name}", _shape(pair, name), width)),
        *_named("probe", f"{pair.probe_gbs:.1f} GB/s before, {pair.probe_after_gbs:.1f} after", width),
        *_named("mode", pair.mode or "-", width),
        *_named("at", f"{moment(pair.at, date=True)}:{moment(pair.at)[6:]} UTC", width),
        (("-- environment ", "dim"),),
    ]
    if not pair.environment:
        return [*lines, (("  none was written down", "dim"),)]
    known = [(name, key) for key, name in ENVIRONMENT.items() if key in pair.environment]
    others = [(key, key) for key in pair.environment if key not in ENVIRONMENT]
    return [*lines, *(row for name, key in (*known, *others) for row in _named(name, pair.environment[key], width))]


def _shape(pair: PairView, name: str) -> str:
    head, candidate = pair.head_shapes[name], pair.candidate_shapes.get(name, 0.0)
    return f"{duration_ns(head)} to {duration_ns(candidate)}, {gain(1.0 - candidate / head if head > 0 else None)}"


def _reading(ns: float, reading: Mapping[str, float]) -> str:
    if not reading:
        return duration_ns(ns)
    span = f"{duration_ns(reading.get('minimum_ns'))} .. {duration_ns(reading.get('maximum_ns'))}"
    own_ns = reading.get("own_ns", 0.0)
    own = f", own clock {duration_ns(own_ns)}" if own_ns > 0 else ""
    return f"{duration_ns(ns)}; {reading.get('calls', 0):.0f} calls, {span}{own}"


def _named(name: str, text: str, width: int) -> list[Line]:
    rows = wrap(text, max(10, width - 17)) or [""]
    return [((fit(name if index == 0 else "", 16) + " ", "dim"), (row, "")) for index, row in enumerate(rows)]
