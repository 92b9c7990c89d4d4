"""What an experiment will take before it is started: device hours and dollars, from campaigns of this home."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.brains import title, usd_limit
from app.experiment.ground import Ground
from app.experiment.inert import runs
from app.experiment.plan import Plan
from app.views import count
from store.engine import Store
from store.reads.past_view import Past, past

FEWEST: Final = 4
"""Positions of a campaign below which its start outweighs what they take."""


@dataclass(frozen=True, slots=True)
class Rates:
    """A position's share of a campaign: wall and device seconds, dollars. of: campaigns that say so."""

    wall_s: float
    device_s: float
    usd: float
    of: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """Over all trajectories; None where no history says. usd_most: what may be spent at most, 0 = nothing."""

    trajectories: int
    wall_h: float | None
    device_h: float | None
    usd: float | None
    usd_most: float
    of: int

    def to_json(self) -> dict[str, Any]:
        return {
            "trajectories": self.trajectories, "wall_hours": self.wall_h, "device_hours": self.device_h,
            "usd": self.usd, "usd_most": self.usd_most, "campaigns": self.of,
        }  # fmt: skip


def forecast(ground: Ground, store: Store) -> Forecast:
    """By the median of campaigns on the same kernels, device and toolchain; dollars by those of the arm's brain."""
    plan, arms = ground.plan, runs(ground)
    known = store.read_sync(
        lambda s: past(s, ground.pack.name, ground.target.fingerprint.id, [k.name for k in ground.kernels])
    )
    rates = rates_of(known)
    count = plan.trajectories * len(arms)
    per = [_of_one(plan, rates_of([p for p in known if p.brain == title(a.settings)]) or rates) for a in arms]
    sums = [None if None in column else plan.trajectories * sum(x for x in column if x is not None)
            for column in zip(*per, strict=True)]  # fmt: skip
    wall, device, usd = sums
    most = plan.trajectories * sum(usd_limit(arm.settings) for arm in arms)
    return Forecast(
        count, None if wall is None else wall / 3600, None if device is None else device / 3600,
        min(usd, most) if usd is not None and most else (0.0 if not most else None), most, rates.of if rates else 0,
    )  # fmt: skip


def rates_of(known: Sequence[Past]) -> Rates | None:
    usable = [p for p in known if p.positions >= FEWEST]
    if not usable:
        return None
    return Rates(
        *(statistics.median(value(p) / p.positions for p in usable) for value in _VALUES), of=len(usable)
    )  # fmt: skip


_VALUES: Final = (lambda p: p.elapsed_s, lambda p: p.device_s, lambda p: p.usd)


def _of_one(plan: Plan, rates: Rates | None) -> tuple[float | None, float | None, float | None]:
    """Wall seconds, device seconds, dollars of one trajectory."""
    kind, amount = plan.budget.kind, plan.budget.amount
    if rates is None:
        wall = amount * 60 if kind == "minutes" else None
        return wall, amount if kind == "device_seconds" else wall, amount if kind == "usd" else None
    each = {
        "positions": 1.0, "minutes": rates.wall_s / 60, "device_seconds": rates.device_s, "usd": rates.usd
    }[kind]  # fmt: skip
    if each <= 0:
        return None, None, amount if kind == "usd" else None
    positions = amount / each
    return positions * rates.wall_s, positions * rates.device_s, positions * rates.usd


def text(found: Forecast, plan: Plan) -> str:
    """`15 trajectories of 100 positions: about 2.1 h, 1.4 h of them device time, $0 (by 7 campaigns here)`."""
    start = f"{found.trajectories} trajectories of {plan.budget.text}"
    money = "" if not found.usd_most else f", at most ${found.usd_most:g}"
    if found.usd_most and found.usd is not None:
        money = f", about ${found.usd:.2f}, at most ${found.usd_most:g}"
    free = "" if money else ", $0"
    nothing = "how long that takes no campaign of this home on these kernels says yet"
    if found.device_h is None:
        return f"{start}{money}: {nothing}"
    if found.wall_h is None:
        return f"{start}: {_hours(found.device_h)} of device time{free}{money}; {nothing}"
    based = f"by {count(found.of, 'campaign')} of these kernels here" if found.of else "by the budget alone"
    return f"{start}: about {_hours(found.wall_h)}, {_hours(found.device_h)} of device time{free}{money} ({based})"


def _hours(hours: float) -> str:
    return f"{hours:.1f} h" if hours >= 1 else f"{60 * hours:.1f} min"
