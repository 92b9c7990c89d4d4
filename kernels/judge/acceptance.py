"""The acceptance rule `paired` and its confirmation. Error rates: tests/calibration. Source: the judge's tables there.

At each look, in this order: FASTER, SLOWER, FLAT, budget used, the two extra pairs of the first look, no sign.
The stop for "no sign" is binding: the guarantee on false accepts uses it.
"""

from dataclasses import dataclass
from typing import Final

from kernels.judge.rule import Bounds, Decision, Rule, Series, State, next_look
from kernels.judge.score import signed_rank_score


@dataclass(frozen=True, slots=True)
class Paired:
    """Signed-rank score at 6 to 24 coin-flip pairs. Score and boundaries in standard deviations of a normal.

    flat_within: the d of FLAT, a log ratio; 0.005, or 0.002 on quiet devices.
    sign_start, sign_rise: a score below sign_start + sign_rise (n - 6) / 18 is no sign of a gain.
    second_chance: at the first look, a score not above this gets two more pairs before "no sign" is said.
    """

    flat_within: float = 0.005
    looks: tuple[int, ...] = (6, 8, 10, 12, 16, 20, 24)
    faster: float = 2.15
    slower: float = -1.85
    flat: float = 2.15
    sign_start: float = 0.3
    sign_rise: float = 1.2
    second_chance: float = -1.0
    name: str = "paired"
    alternating: bool = False

    def __post_init__(self) -> None:
        if not self.flat_within > 0:
            raise ValueError(f"flat_within must be > 0, got {self.flat_within}")

    @property
    def budget(self) -> int:
        return self.looks[-1]

    def statistic(self, x: Series) -> float:
        return signed_rank_score(x)

    def bounds(self, n: int) -> Bounds:
        if n not in self.looks:
            return Bounds()
        return Bounds(self.faster, self.slower, None if n == self.budget else self.unclear_below(n))

    def unclear_below(self, n: int) -> float:
        first, last = self.looks[0], self.looks[-1]
        return self.sign_start + self.sign_rise * (n - first) / (last - first)

    def decide(self, x: Series) -> Decision:
        for look in self.looks:
            if look > len(x):
                break
            decision = self._look(x[:look])
            if decision.stopped:
                return decision
        return Decision(State.MEASURE_MORE, self.statistic(x), len(x), next_look(self.looks, len(x)))

    def _look(self, x: Series) -> Decision:
        n, score = len(x), signed_rank_score(x)
        if score >= self.faster:
            return Decision(State.FASTER, score, n)
        if score <= self.slower:
            return Decision(State.SLOWER, score, n)
        if self._is_flat(x):
            return Decision(State.FLAT, score, n)
        if n == self.budget:
            return Decision(State.UNCLEAR, score, n)
        spared = n == self.looks[0] and score <= self.second_chance
        if not spared and score < self.unclear_below(n):
            return Decision(State.UNCLEAR, score, n, no_sign=True)
        return Decision(State.MEASURE_MORE, score, n, next_look(self.looks, n))

    def _is_flat(self, x: Series) -> bool:
        below = signed_rank_score([value - self.flat_within for value in x]) <= -self.flat
        return below and signed_rank_score([value + self.flat_within for value in x]) >= self.flat


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Fresh pairs only, before a promotion: FASTER promotes, DROP does not."""

    looks: tuple[int, ...] = (8, 12, 16)
    promote: float = 1.40
    drop: float = 0.0
    name: str = "confirmation"
    alternating: bool = False

    @property
    def budget(self) -> int:
        return self.looks[-1]

    def statistic(self, x: Series) -> float:
        return signed_rank_score(x)

    def bounds(self, n: int) -> Bounds:
        return Bounds(faster=self.promote, slower=self.drop) if n in self.looks else Bounds()

    def decide(self, x: Series) -> Decision:
        for look in self.looks:
            if look > len(x):
                break
            score = signed_rank_score(x[:look])
            if score >= self.promote:
                return Decision(State.FASTER, score, look)
            if score <= self.drop or look == self.budget:
                return Decision(State.DROP, score, look)
        return Decision(State.MEASURE_MORE, self.statistic(x), len(x), next_look(self.looks, len(x)))


ACCEPTANCE: Final = Paired()
CONFIRMATION: Final = Confirmation()
MOST_PAIRS: Final = ACCEPTANCE.budget + CONFIRMATION.budget
"""Of a test with its confirmation."""
WORTH_FILING: Final = 0.005
"""A filing also needs this gain by the fresh-pair estimate (a setting)."""


def decide(x: Series, rule: Rule = ACCEPTANCE) -> Decision:
    """What to do after these pairs under a rule.

    x: log(head / candidate), one per pair, in run order. Raises: ValueError when one is not finite.
    """
    return rule.decide(x)
