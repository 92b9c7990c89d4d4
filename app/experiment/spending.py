"""A trajectory's incumbent over what it spent of one kind: positions, device seconds, dollars, seconds."""

from typing import Final

from kernels.judge.trajectory import Curve, curve
from store.reads.experiment_view import TrajectoryView

ENDS: Final = {
    "positions": "candidates:", "minutes": "time:", "device_seconds": "device time:", "usd": "limit of money:",
}  # fmt: skip
"""How a campaign says that its budget of this kind is spent; see `roles/budget.py` and `roles/limits.py`."""


def spent_curve(view: TrajectoryView, kind: str, speedup: float, budget: float) -> Curve:
    """kind: a key of `ENDS`. Minutes are in seconds here; of device seconds a promotion has its share of the elapsed
    ones. speedup: what the final block measured. budget: of this kind, infinite where it had another one."""
    kernels = max(len(view.finals), 1)
    device_share = view.device_s / view.elapsed_s if view.elapsed_s else 0.0
    claimed = [
        (min(_spent(kind, c.positions, c.seconds, c.seconds * device_share, c.usd), budget), c.factor ** (1 / kernels))
        for c in view.claims
    ]
    whole = view.stopped_because.startswith(ENDS[kind])
    spent = budget if whole else _spent(kind, view.positions, view.elapsed_s, view.device_s, view.usd)
    return curve(claimed, speedup, spent=min(spent, budget), budget=budget)


def _spent(kind: str, positions: int, seconds: float, device_s: float, usd: float) -> float:
    return {"positions": float(positions), "minutes": seconds, "device_seconds": device_s, "usd": usd}[kind]
