"""The figures of the screens: score over time, and a test's score between its boundaries. Pure."""

from app.views import clock, digits
from app.widgets.plot import Curve, Figure, steps
from store.views import OverviewView, TestView, TrailPoint


def score_figure(view: OverviewView) -> Figure:
    """The geometric mean over the kernels as steps from 1 on, until now."""
    points = tuple((point.at_s, point.speedup) for point in view.score if not point.kernel)
    if not points:
        return Figure((), empty="no ledger entry yet: the first one follows the first promotion")
    end = max(view.campaign.elapsed_s, points[-1][0], 1.0)
    top = max(2.0, max(value for _, value in points) * 1.05)
    drawn = steps(((0.0, 1.0), *points), until=end)
    ticks = tuple((end * share, _minutes(end * share)) for share in (0.0, 0.5, 1.0))
    middle = (1.0 + top) / 2
    labels = tuple((value, digits(value)) for value in (1.0, middle, top))
    return Figure((Curve(drawn),), ticks, labels, 1.0, top)


def _minutes(seconds: float) -> str:
    return clock(seconds)[:-3] if seconds >= 3600 else f"{seconds / 60:.0f} min"


def trail_figure(test: TestView) -> Figure:
    """Score (curve) against what ends the test: `=` faster and slower, `~` no sign of a gain."""
    trail = test.trail
    if not trail:
        return Figure((), empty="no pair yet")
    last = max(test.pairs_budget, trail[-1].n, 2)
    curves = [
        Curve(tuple((float(point.n), point.score) for point in trail)),
        *_boundary(trail, "faster", last),
        *_boundary(trail, "slower", last),
    ]
    unclear = tuple((float(p.n), p.unclear_below) for p in trail if p.unclear_below is not None)
    if unclear:
        curves.insert(0, Curve(unclear, "~"))
    values = [y for curve in curves for _, y in curve.points]
    ticks = tuple((float(n), str(n)) for n in sorted({1, last // 4, last // 2, 3 * last // 4, last}) if n > 0)
    low, high = min(values) - 0.3, max(values) + 0.3
    labels = tuple((value, f"{value:+.2f}") for value in sorted({min(values), 0.0, max(values)}))
    return Figure(tuple(curves), ticks, labels, low, high, empty="no pair yet")


def _boundary(trail: tuple[TrailPoint, ...], side: str, last: int) -> list[Curve]:
    """From 1 to the budget, at the value of the latest look."""
    known = [p.faster if side == "faster" else p.slower for p in trail]
    values = [value for value in known if value is not None]
    return [Curve(((1.0, values[-1]), (float(last), values[-1])), "=")] if values else []
