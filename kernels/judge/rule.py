"""What a rule is: log ratios in, decision out. Rules are values; the sampling loop knows nothing of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

Series: TypeAlias = "Sequence[float] | NDArray[float64]"


class State(StrEnum):
    """What to do after these pairs. DROP: a confirmation does not promote, or the rule `paper` stopped low."""

    MEASURE_MORE = "MEASURE_MORE"
    FASTER = "FASTER"
    SLOWER = "SLOWER"
    FLAT = "FLAT"
    UNCLEAR = "UNCLEAR"
    DROP = "DROP"


@dataclass(frozen=True, slots=True)
class Decision:
    """score: the rule's statistic after `pairs` pairs; pairs: where it stopped, else all so far.

    next_look: number of pairs at the next look, None once stopped.
    no_sign: UNCLEAR because no sign of a gain was seen (no retest); otherwise UNCLEAR is OPEN, undecided after the
    whole budget (one retest).
    """

    state: State
    score: float
    pairs: int
    next_look: int | None = None
    no_sign: bool = False

    @property
    def stopped(self) -> bool:
        return self.state is not State.MEASURE_MORE

    @property
    def label(self) -> str:
        """The state for a reader: UNCLEAR is shown as NO SIGN or OPEN."""
        if self.state is State.UNCLEAR:
            return "NO SIGN" if self.no_sign else "OPEN"
        return self.state.value


@dataclass(frozen=True, slots=True)
class Bounds:
    """The boundaries of the score in force at one look, None where there is none."""

    faster: float | None = None
    slower: float | None = None
    unclear_below: float | None = None


class Rule(Protocol):
    """Decides from log(head / candidate), one per pair, in run order."""

    @property
    def name(self) -> str: ...

    @property
    def budget(self) -> int:
        """The most pairs that it takes."""
        ...

    @property
    def alternating(self) -> bool:
        """Head first in every other pair, instead of by a fair coin."""
        ...

    def decide(self, x: Series) -> Decision:
        """Walks all looks up to len(x) and stops at the first that decides: later pairs never change a verdict.

        Raises: ValueError when a log ratio is not finite.
        """
        ...

    def statistic(self, x: Series) -> float:
        """The number that the boundaries are about."""
        ...

    def bounds(self, n: int) -> Bounds:
        """Boundaries at n pairs, for plotting; all None when there is no look at n."""
        ...


def next_look(looks: Sequence[int], n: int) -> int | None:
    """The first look after n pairs."""
    return next((look for look in looks if look > n), None)
