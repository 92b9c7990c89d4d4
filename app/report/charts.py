"""The plots of a report as values: curves in pixels, ticks with labels. Pure; the template writes the SVG."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.report.gather import Report
from app.stepped import steps
from app.views import clock, digits
from store.views import KernelView

WIDTH: Final = 720
HEIGHT: Final = 260
LEFT: Final = 56
RIGHT: Final = 12
TOP: Final = 12
BOTTOM: Final = 28
SINCE: Final = "by the time since its beginning, stops included"
Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """points: of an SVG polyline, "x,y x,y"; number: of its colour; last: its value at the end, as text."""

    name: str
    number: int
    points: str
    last: str


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A plot in a box of WIDTH x HEIGHT pixels; without lines it says why in `empty`. marks: where the toolchain became
    another one, across which nothing compares."""

    title: str
    unit: str
    lines: tuple[Line, ...] = ()
    x_ticks: tuple[Tick, ...] = ()
    y_ticks: tuple[Tick, ...] = ()
    empty: str = ""
    marks: tuple[Tick, ...] = ()
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def charts(report: Report) -> tuple[Chart, ...]:
    return score(report), times_peak(report), noise(report)


def score(report: Report) -> Chart:
    """Ledger speedups as steps, the geometric mean first; every kernel counts as 1 until its first entry."""
    end = max(report.span_s, *(p.at_s for p in report.score), 1.0) if report.score else 1.0
    names = ["", *(view.name for view in report.kernels)] if len(report.kernels) > 1 else [""]
    curves = {}
    for name in names:
        known = tuple((p.at_s, p.speedup) for p in report.score if p.kernel == name)
        if known:
            curves[name or "geometric mean"] = steps(((0.0, 1.0), *known), until=end)
    drawn = _chart("Score over time", f"speedup by the ledger, log scale, {SINCE}", curves, end, log=True,
                   empty="no ledger entry yet")  # fmt: skip
    began = report.campaign.started_at
    changes = [one for one in report.toolchains if one.former != one.present and 0 <= one.at - began <= end]
    marks = (Tick(LEFT + (WIDTH - LEFT - RIGHT) * (one.at - began) / end, one.text) for one in changes)
    return replace(drawn, marks=tuple(marks))


def times_peak(report: Report) -> Chart:
    """The head's time over the time that a probe needs just to read the weights, after each promotion in force."""
    found = {view.name: _over_peak(report, view) for view in report.kernels}
    curves = {name: points for name, points in found.items() if points}
    end = max(report.span_s, *(x for points in curves.values() for x, _ in points), 1.0) if curves else 1.0
    drawn = {name: steps(points, until=end) for name, points in curves.items()}
    unit = f"head over peak, log scale, {SINCE}; below 1 the probe is no bound"
    return _chart("Times peak", unit, drawn, end, log=True, empty="no peak measured")


def _over_peak(report: Report, view: KernelView) -> Points:
    """The baseline, each step in force, each against the peak of its own device mode, and last what the ledger read of
    the head: the number of the result. () without a peak or a baseline."""
    if view.peak_ns is None or view.baseline_ns is None:
        return ()
    began = report.campaign.started_at
    steps_of = [s for s in report.steps if s.kernel == view.name and not (s.lost or s.tainted or s.former)]
    known = [(max(s.at - began, 0.0), s.times_peak) for s in steps_of if s.times_peak is not None]
    entry = report.speaking.get(view.name)
    if entry is not None and entry.head == view.head_id and view.times_peak is not None:
        known.append((max(entry.at - began, 0.0), view.times_peak))
    return ((0.0, view.baseline_ns / view.peak_ns), *known)


def noise(report: Report) -> Chart:
    """The robust standard deviation of a pair's log ratio in each finished test, over the home's tests of a kernel."""
    points = {name: view.noise for name, view in report.devices.items() if view.noise}
    began = min((p.at for found in points.values() for p in found), default=0.0)
    curves: dict[str, Points] = {n: tuple((p.at - began, 100 * p.sd) for p in found) for n, found in points.items()}
    end = max((x for found in curves.values() for x, _ in found), default=1.0) or 1.0
    return _chart("Noise", "sd of a pair in %, one point a test, by the time since the first", curves, end, log=False,
                  empty="no test with enough pairs")  # fmt: skip


def _chart(title: str, unit: str, curves: dict[str, Points], end: float, *, log: bool, empty: str) -> Chart:
    values = [y for points in curves.values() for _, y in points if math.isfinite(y) and y > 0]
    if not values:
        return Chart(title, unit, empty=empty)
    low, high = _range(values, log=log)

    def place(x: float, y: float) -> tuple[float, float]:
        part = _share(min(max(y, low), high), low, high, log=log)
        return LEFT + (WIDTH - LEFT - RIGHT) * x / end, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part

    lines = tuple(
        Line(name, number % 8, _polyline(place(x, y) for x, y in points if math.isfinite(y)), digits(points[-1][1]))
        for number, (name, points) in enumerate(curves.items())
    )
    x_ticks = tuple(Tick(round(place(end * q, low)[0], 1), clock(end * q)) for q in (0.0, 0.25, 0.5, 0.75, 1.0))
    y_ticks = tuple(Tick(round(place(0.0, y)[1], 1), digits(y)) for y in _marks(low, high, log=log))
    return Chart(title, unit, lines, x_ticks, y_ticks)


def _range(values: Sequence[float], *, log: bool) -> tuple[float, float]:
    if log:
        low, high = min(*values, 1.0), max(*values, 1.0)
        return low / 1.05, max(high * 1.05, low * 1.2)
    return 0.0, max(values) * 1.1


def _share(y: float, low: float, high: float, *, log: bool) -> float:
    return math.log(y / low) / math.log(high / low) if log else (y - low) / (high - low)


def _marks(low: float, high: float, *, log: bool) -> list[float]:
    """Round values between both ends; at least two."""
    if log:
        found = [d * 10.0**e for e in range(-6, 7) for d in (1, 2, 5) if low <= d * 10.0**e <= high]
        return found[:: 1 + len(found) // 8] if len(found) > 1 else [low * 1.05, high / 1.05]
    step = 10.0 ** math.floor(math.log10(high / 2))
    step *= 2 if high / step > 8 else 1
    return [step * i for i in range(int(high / step) + 1)]


def _polyline(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
