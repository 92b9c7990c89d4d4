"""The curves of the Filings tab. Pure."""

from app.stepped import steps
from app.views import count, digits, moment
from app.widgets.plot import Curve, Figure
from store.filed_views import FiledCurve, SeriesView


def curve_title(series: SeriesView, curve: FiledCurve) -> str:
    """`ffn: ledger speedup against the baseline; now 16.3, best 16.4, 8 points`."""
    of = f"campaign {series.campaign}" if series.imported else series.kernel
    other = "; left of | another toolchain" if curve.since is not None else ""
    if curve.best is None or curve.last is None:
        return f"{of}: {curve.what}{other}"
    shown = f"now {digits(curve.last)}, best {digits(curve.best)}, {count(len(curve.points), 'point')}"
    return f"{of}: {curve.what}{', best so far' if series.imported else ''}; {shown}{other}"


def curve_figure(series: SeriesView, curve: FiledCurve) -> Figure:
    """Steps from the first filing to the last; of imported filings, which are single draws, the best so far."""
    known = _best_so_far(curve) if series.imported else curve.points
    if not known:
        return Figure((), empty=f"no filing with {curve.what} yet")
    first, last = known[0][0], max(known[-1][0], known[0][0] + 1.0)
    values = [value for _, value in known]
    low, high = min(*values, 1.0), max(*values, 1.0)
    margin = max(0.04 * (high - low), 0.01)
    drawn = steps(tuple((at - first, value) for at, value in known), until=(last - first) * 1.02)
    ticks = tuple((at, moment(first + at, date=True)) for at in (0.0, last - first))
    labels = tuple((value, digits(value)) for value in (low, (low + high) / 2, high))
    return Figure((Curve(drawn), *_mark(curve, first, last, low, high)), ticks, labels, low - margin, high + margin)


def _mark(curve: FiledCurve, first: float, last: float, low: float, high: float) -> tuple[Curve, ...]:
    """A line of bars where the toolchain became another one."""
    if curve.since is None or not first <= curve.since <= last:
        return ()
    at = curve.since - first
    return (Curve(tuple((at, low + (high - low) * i / 20) for i in range(21)), marker="|"),)


def _best_so_far(curve: FiledCurve) -> tuple[tuple[float, float], ...]:
    better = max if curve.higher_is_better else min
    kept: list[tuple[float, float]] = []
    for at, value in curve.points:
        kept.append((at, better(value, kept[-1][1]) if kept else value))
    return tuple(kept)
