"""The figures of the screens: score over time, and a test's score between its boundaries. Pure."""

from app.views import clock, digits
from app.widgets.plot import Curve, Figure, steps
from app.zline import boundaries
from store.views import OverviewView, TestView


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
    if seconds >= 3600:
        return clock(seconds)[:-3]
    return f"{seconds / 60:.0f} min" if seconds >= 120 or seconds == 0 else f"{seconds:.0f} s"


def trail_figure(test: TestView) -> Figure:
    """Score (curve) against what ends the test: `=` faster and slower, `~` no sign of a gain."""
    trail, limits = test.trail, boundaries(test)
    if not trail:
        return Figure((), empty="no pair yet")
    last = float(max(test.pairs_budget, trail[-1].n, 2))
    curves = [Curve(((1.0, limit), (last, limit)), "=") for limit in limits or ()]
    unclear = tuple((float(p.n), p.unclear_below) for p in trail if p.unclear_below is not None)
    if unclear:
        curves.append(Curve(unclear, "~"))
    curves.append(Curve(tuple((float(point.n), point.score) for point in trail)))
    values = [y for curve in curves for _, y in curve.points]
    whole = int(last)
    ticks = tuple((float(n), str(n)) for n in sorted({1, whole // 4, whole // 2, 3 * whole // 4, whole}) if n > 0)
    labels = tuple((value, f"{value:+.2f}") for value in sorted({min(values), 0.0, max(values)}))
    return Figure(tuple(curves), ticks, labels, min(values) - 0.3, max(values) + 0.3, empty="no pair yet")
