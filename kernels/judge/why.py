"""Why a test ended as it did: which row of its rule's table fired, and at which look, in words.

The rows of the acceptance rule are numbered in the order in which they are asked at each look:
1 FASTER, 2 SLOWER, 3 FLAT, 4 budget used, 5 two more pairs, 6 no sign of a gain, 7 on to the next look.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kernels.judge.acceptance import Confirmation, Paired
from kernels.judge.rule import Bounds, Decision, Rule, State
from kernels.judge.score import signed_rank_score


@dataclass(frozen=True, slots=True)
class Look:
    """What the rule made of its pairs so far. row: of the acceptance table, 0 for a rule without one."""

    decision: Decision
    row: int
    words: str

    @property
    def ended(self) -> bool:
        return self.decision.stopped

    @property
    def text(self) -> str:
        """`look 8: score +2.31 at or above +2.15: FASTER, on to fresh pairs (row 1)`."""
        return f"look {self.decision.pairs}: {self.words}" + (f" (row {self.row})" if self.row else "")


def looks(x: Sequence[float], rule: Rule) -> tuple[Look, ...]:
    """Every look that these log ratios, in run order, came to; the last one is what ended the test, if it ended.

    Raises: ValueError when a log ratio is not finite.
    """
    found: list[Look] = []
    for n in range(1, len(x) + 1):
        if rule.bounds(n) == Bounds() and n < rule.budget:
            continue
        found.append(_look(x[:n], rule))
        if found[-1].ended:
            break
    return tuple(found)


def _look(x: Sequence[float], rule: Rule) -> Look:
    decision = rule.decide(x)
    if isinstance(rule, Paired):
        row = _row(decision, rule)
        return Look(decision, row, _paired(row, x, decision, rule))
    if isinstance(rule, Confirmation):
        return Look(decision, 0, _confirmation(decision, rule))
    return Look(decision, 0, _other(decision, rule))


def _row(decision: Decision, rule: Paired) -> int:
    if decision.state is State.MEASURE_MORE:
        return 5 if decision.pairs == rule.looks[0] and decision.score <= rule.second_chance else 7
    if decision.state is State.UNCLEAR:
        return 6 if decision.no_sign else 4
    return {State.FASTER: 1, State.SLOWER: 2, State.FLAT: 3}[decision.state]


def _paired(row: int, x: Sequence[float], decision: Decision, rule: Paired) -> str:
    score, at = f"score {decision.score:+.2f}", decision.pairs
    words = {
        1: f"{score} at or above {rule.faster:+.2f}: FASTER, on to fresh pairs",
        2: f"{score} at or below {rule.slower:+.2f}: SLOWER",
        3: f"{_shifted(x, rule)}: FLAT",
        4: f"{score} when all {rule.budget} pairs were used: UNCLEAR, open; one retest is allowed",
        5: f"{score} at or below {rule.second_chance:+.2f}, first look: two more pairs",
        6: f"{score} below {rule.unclear_below(at):+.2f}: UNCLEAR, no sign of a gain; no retest",
        7: f"{score}: on to {decision.next_look} pairs",
    }
    return words[row]


def _shifted(x: Sequence[float], rule: Paired) -> str:
    """Both ends of the test for FLAT."""
    d = rule.flat_within
    low, high = signed_rank_score([v - d for v in x]), signed_rank_score([v + d for v in x])
    return f"scores {low:+.2f} and {high:+.2f} with {100 * d:.2g} % taken off and added, both beyond {rule.flat:.2f}"


def _confirmation(decision: Decision, rule: Confirmation) -> str:
    score = f"fresh pairs score {decision.score:+.2f}"
    if decision.state is State.FASTER:
        return f"{score}, at or above {rule.promote:+.2f}: confirmed"
    if decision.state is State.MEASURE_MORE:
        return f"{score}: on to {decision.next_look} pairs"
    if decision.score <= rule.drop:
        return f"{score}, at or below {rule.drop:.2f}: dropped"
    return f"{score} below {rule.promote:+.2f} when all {rule.budget} pairs were used: dropped"


def _other(decision: Decision, rule: Rule) -> str:
    if _is_fixed(rule):
        return f"score {decision.score:+.2f} after {decision.pairs} pairs, a fixed number, kept whatever it is"
    return f"rule {rule.name}: {decision.label} at {decision.score:+.2f}"


def _is_fixed(rule: Rule) -> bool:
    return rule.name.startswith(("fixed", "ledger"))


def ahead(n: int, rule: Rule) -> str:
    """What the next look after n pairs would do; "" when there is none."""
    if _is_fixed(rule):
        return f"{rule.budget} pairs, a fixed number" if n < rule.budget else ""
    at = next((m for m in range(n + 1, rule.budget + 1) if rule.bounds(m) != Bounds()), None)
    if at is None:
        return ""
    bounds = rule.bounds(at)
    parts: list[str] = []
    if bounds.faster is not None:
        parts.append(f"ends at {bounds.faster:+.2f} or more")
    if bounds.slower is not None:
        parts.append(f"at {bounds.slower:+.2f} or less")
    if bounds.unclear_below is not None:
        parts.append(f"below {bounds.unclear_below:+.2f}")
    return f"look {at}: " + ", ".join(parts)
