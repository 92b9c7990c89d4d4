"""The figures of the screens: score over time, and a test's score between its boundaries. Pure."""

import math
import statistics
from typing import Final

from app.stepped import steps
from app.views import about, age, clock, digits, factor, minutes, usd
from app.widgets.plot import Curve, Figure
from app.zline import boundaries
from store.device_views import DeviceView
from store.money_views import MoneyView
from store.views import CampaignView, OverviewView, TestView

WINDOWS: Final = 40


def score_figure(view: OverviewView) -> Figure:
    """The geometric mean over the kernels by the ledger, as steps from 1 on, until now."""
    points = tuple((point.at_s, point.speedup) for point in view.score if not point.kernel)
    if not points:
        return Figure((), empty=no_entry(view.campaign))
    end = right_end(max(_span_s(view), points[-1][0], 1.0))
    top = max(2.0, max(value for _, value in points) * 1.05)
    drawn = steps(((0.0, 1.0), *points), until=end)
    ticks = tuple((end * share, minutes(end * share)) for share in (0.0, 0.5, 1.0))
    middle = (1.0 + top) / 2
    labels = tuple((value, digits(value)) for value in (1.0, middle, top))
    told = tuple((clock(at), factor(value)) for at, value in points)
    return Figure((Curve(drawn),), ticks, labels, 1.0, top, told=told)


def _span_s(view: OverviewView) -> float:
    """Seconds from the beginning to the last sign of life, stops in them as in the times of the steps."""
    beat = 0.0 if view.engine is None else view.engine.heartbeat_at - view.campaign.started_at
    return max(beat, view.campaign.elapsed_s)


def right_end(now: float) -> float:
    """Where an axis that grows ends: at `now` or less than a 128th behind it, so that a figure is drawn anew only when
    a dot of it may have moved."""
    step = 2.0 ** math.floor(math.log2(now / 128))
    return math.ceil(now / step) * step


def cost_figure(view: MoneyView) -> Figure:
    """The score as steps over dollars, or over device minutes where nothing was spent."""
    paid = view.total.usd > 0
    points = tuple((one.usd if paid else one.device_s / 60, one.score) for one in view.points)
    if not points:
        return Figure((), empty="no ledger entry yet: the first one follows the first promotion")
    total = view.total.usd if paid else (view.total.device_s or 0.0) / 60
    end = right_end(max(total, points[-1][0], 1e-6))
    top = max(2.0, max(value for _, value in points) * 1.05)
    ticks = tuple((end * share, usd(end * share) if paid else minutes(60 * end * share)) for share in (0.0, 0.5, 1.0))
    labels = tuple((value, digits(value)) for value in (1.0, (1.0 + top) / 2, top))
    told = tuple((usd(at) if paid else minutes(60 * at), factor(value)) for at, value in points)
    return Figure((Curve(steps(((0.0, 1.0), *points), until=end)),), ticks, labels, 1.0, top, told=told)


def no_entry(campaign: CampaignView) -> str:
    """What to say where nothing is measured against the baseline yet."""
    if campaign.promotions:
        return f"{factor(campaign.claimed_gain)} claimed{campaign.claimed_mark}, no ledger entry yet"
    return "no ledger entry yet: the first one follows the first promotion"


def noise_figure(device: DeviceView, now: float) -> Figure:
    """The sd of a pair in windows of tests, oldest left, in per cent; `=` what was calibrated."""
    points = device.noise
    if not points:
        return Figure((), empty="no test with enough pairs yet")
    size = -(-len(points) // WINDOWS)
    windows = [points[at : at + size] for at in range(0, len(points), size)]
    drawn = tuple((float(i), 100 * statistics.median(p.sd for p in w)) for i, w in enumerate(windows))
    curves, last = [Curve(drawn)], float(max(len(windows) - 1, 1))
    if device.calibration is not None:
        sd = 100 * float(device.calibration["pair_sd"])
        curves.insert(0, Curve(((0.0, sd), (last, sd)), "="))
    top = max(y for curve in curves for _, y in curve.points) * 1.1 or 1.0
    ticks = ((0.0, f"{age(now - points[0].at)} ago"), (last, f"{age(now - points[-1].at)} ago"))
    labels = tuple((value, f"{about(value)} %") for value in (0.0, top / 2, top))
    told = tuple((f"{age(now - w[0].at)} ago", f"{about(y)} %") for w, (_, y) in zip(windows, drawn, strict=True))
    return Figure(tuple(curves), ticks if len(windows) > 1 else ticks[:1], labels, 0.0, top, told=told)


def trail_figure(test: TestView) -> Figure:
    """Score (curve) against what ends the test, from its first look to its last: `=` faster and slower, `~` no sign."""
    trail, limits = test.trail, boundaries(test)
    if not trail:
        return Figure((), empty="no pair yet")
    last = float(max(test.pairs_budget, trail[-1].n, 2))
    looks = test.looks or trail
    first = float(next((p.n for p in looks if p.faster is not None), 1))
    curves = [Curve(((first, limit), (last, limit)), "=") for limit in limits or ()]
    unclear = tuple((float(p.n), p.unclear_below) for p in looks if p.unclear_below is not None)
    if unclear:
        curves.append(Curve(unclear, "~"))
    curves.append(Curve(tuple((float(point.n), point.score) for point in trail)))
    values = [y for curve in curves for _, y in curve.points]
    whole = int(last)
    ticks = tuple((float(n), str(n)) for n in sorted({1, whole // 4, whole // 2, 3 * whole // 4, whole}) if n > 0)
    labels = tuple((value, f"{value:+.2f}") for value in sorted({min(values), 0.0, max(values)}))
    told = tuple((f"pair {point.n}", f"{point.score:+.2f}") for point in trail)
    return Figure(tuple(curves), ticks, labels, min(values) - 0.3, max(values) + 0.3, told=told)
