"""A fixed number of pairs, no looks: the ledger, calibrations and the batch gate, kept whatever they say."""

from dataclasses import dataclass
from typing import Final

from kernels.judge.rule import Bounds, Decision, Series, State
from kernels.judge.score import signed_rank_score


@dataclass(frozen=True, slots=True)
class Fixed:
    """Reads the score once, after `pairs` pairs."""

    pairs: int = 24
    faster: float = 2.15
    slower: float = -1.85
    name: str = "fixed"
    alternating: bool = False

    @property
    def budget(self) -> int:
        return self.pairs

    def statistic(self, x: Series) -> float:
        return signed_rank_score(x)

    def bounds(self, n: int) -> Bounds:
        return Bounds(self.faster, self.slower) if n == self.pairs else Bounds()

    def decide(self, x: Series) -> Decision:
        n = min(len(x), self.pairs)
        score = signed_rank_score(x[:n])
        if n < self.pairs:
            return Decision(State.MEASURE_MORE, score, n, self.pairs)
        if score >= self.faster:
            return Decision(State.FASTER, score, n)
        return Decision(State.SLOWER if score <= self.slower else State.UNCLEAR, score, n)


LEDGER_FULL: Final = Fixed(24, name="ledger-24")
LEDGER_SHORT: Final = Fixed(12, name="ledger-12")
