"""What a campaign may spend, and what it keeps back for its last measurements. Pure."""

from dataclasses import dataclass

LEDGER_RESERVE_S = 3.0
MINIMUM_RESERVE_SHARE = 0.02


@dataclass(frozen=True, slots=True)
class Budget:
    """minutes: wall time of this run. candidates: finished attempts of the campaign. device_s: seconds for which it
    holds the machine. 0 = unbounded."""

    minutes: float = 0.0
    candidates: int = 0
    device_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Spent:
    seconds: float
    candidates: int
    device_s: float = 0.0


def final_reserve_s(baseline_ns: list[float], head_ns: list[float], pairs: int, calls_slow: int) -> float:
    """Seconds kept for the 24-pair ledgers at the end: readings of baseline and head, then the audits."""
    readings = sum(
        (b * (calls_slow + 1) + min(max(h * 65, 40e6), 80e6)) * pairs for b, h in zip(baseline_ns, head_ns, strict=True)
    )
    return readings / 1e9 * 1.6 + LEDGER_RESERVE_S * len(baseline_ns)


def over(budget: Budget, spent: Spent, reserve_s: float) -> str:
    """Why no new attempt may start, or "" while the budget lasts."""
    if budget.minutes and spent.seconds >= max(budget.minutes * 60.0 - reserve_s, 0.0):
        return f"time: {budget.minutes:g} min, of which {reserve_s:.0f} s are kept for the final ledger"
    if budget.candidates and spent.candidates >= budget.candidates:
        return f"candidates: {budget.candidates} judged"
    if budget.device_s and spent.device_s >= budget.device_s:
        return f"device time: {budget.device_s:g} s, the final ledger comes on top"
    return ""


def left(budget: Budget, spent: Spent, reserve_s: float) -> tuple[int | None, float | None]:
    """Candidates and seconds that are left for new attempts; None where there is no limit."""
    candidates = max(budget.candidates - spent.candidates, 0) if budget.candidates else None
    seconds = max(budget.minutes * 60.0 - reserve_s - spent.seconds, 0.0) if budget.minutes else None
    return candidates, seconds
