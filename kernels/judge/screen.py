"""A running test as one line of text."""

from collections.abc import Sequence
from typing import Final

from kernels.judge.acceptance import ACCEPTANCE
from kernels.judge.estimate import estimate
from kernels.judge.rule import Bounds, Decision, Rule
from kernels.values.reading import Estimate

LEFT: Final = 4
RIGHT: Final = 10  # with the number that stands there


def one_line(x: Sequence[float], rule: Rule = ACCEPTANCE) -> str:
    """For example `pair 10/24  score +1.97  [-1.85 ....|.57......* +2.15]  est +0.8 % (-0.1 .. +1.7)  next look 12`.

    The bar runs from SLOWER to FASTER; `|` and the number behind it are where "no sign" ends; `*` is the score. Between
    looks the boundaries are those of the next look.
    """
    decision = rule.decide(x)
    at = decision.pairs if decision.stopped else first_look_from(rule, len(x))
    parts = [
        f"pair {len(x)}/{rule.budget}",
        f"score {decision.score:+.2f}",
        bar(decision.score, rule.bounds(at)),
        f"est {estimate_text(estimate(x))}" if len(x) else "",
        ending(decision),
    ]
    return "  ".join(part for part in parts if part)


def ending(decision: Decision) -> str:
    return decision.label if decision.stopped else f"next look {decision.next_look}"


def first_look_from(rule: Rule, n: int) -> int:
    """The first number of pairs, n or more, at which the rule looks; the budget when there is none."""
    return next((m for m in range(n, rule.budget + 1) if rule.bounds(m) != Bounds()), rule.budget)


def estimate_text(found: Estimate) -> str:
    """`+0.8 % (-0.1 .. +1.7)`; an open interval while no shift can be excluded."""
    if found.low == float("-inf"):
        return f"{100 * found.gain:+.1f} % (open)"
    return f"{100 * found.gain:+.1f} % ({100 * found.low:+.1f} .. {100 * found.high:+.1f})"


def bar(score: float, bounds: Bounds) -> str:
    """`[-1.85 ....|.57....*.. +2.15]`; "" when there is nothing to draw. A score beyond an end sticks to it."""
    low, edge, high = bounds.slower, bounds.unclear_below, bounds.faster
    if low is None or high is None or low >= high:
        return ""
    if edge is None:
        middle = _track(LEFT + 1 + RIGHT, score, low, high)
    else:
        number = f"{edge:.2f}".removeprefix("0")
        right = RIGHT - len(number)
        below = _track(LEFT, score, low, edge) if score < edge else "." * LEFT
        above = _track(right, score, edge, high) if score >= edge else "." * right
        middle = f"{below}|{number}{above}"
    return f"[{low:+.2f} {middle} {high:+.2f}]"


def _track(cells: int, score: float, low: float, high: float) -> str:
    """Dots with a star where the score lies between low and high, on a linear scale."""
    place = min(max(int((score - low) / (high - low) * cells), 0), cells - 1)
    return "." * place + "*" + "." * (cells - 1 - place)
