"""Does a candidate disturb the reading that follows it? Without the warm-up it does, and false accepts rise to 9 %.

In pairs of the head with itself the two kinds of second reading can be compared as they are. In a real test the second
reading after the head is the candidate's and the other way round, so they differ by the gain; there the sums
log(head) + log(candidate) of both orders are compared instead (Grizzle, Biometrics 21, 1965: the test for carry-over in
a two-period crossover). Gain, order effect and drift drop out of it, and the coin makes it a randomisation test.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from kernels.judge.rank_sum import two_sided_p
from kernels.values.reading import Pair

WARN_BELOW: Final = 0.001


@dataclass(frozen=True, slots=True)
class CarryOver:
    """p: of the two-sided Mann-Whitney U test, 1 when a group is empty; shift: how much longer, as a log ratio, second
    readings are after the candidate than after the head."""

    p: float
    shift: float
    after_head: int
    after_candidate: int

    @property
    def warning(self) -> str:
        if self.p >= WARN_BELOW:
            return ""
        return (
            f"carry-over: readings after the candidate are {100 * self.shift:+.1f} % against those after the head "
            f"(p = {self.p:.1g}); lengthen the warm-up"
        )


def carry_over(pairs: Sequence[Pair], *, same_kernel: bool = False) -> CarryOver:
    """Compare pairs by their order. same_kernel: head against itself (calibration, placebo).

    Raises: ValueError when a reading is not positive and finite.
    """
    after_head = [_size(p, same_kernel) for p in pairs if p.first == "head"]
    after_candidate = [_size(p, same_kernel) for p in pairs if p.first == "candidate"]
    if not after_head or not after_candidate:
        return CarryOver(1.0, 0.0, len(after_head), len(after_candidate))
    p = two_sided_p(after_head, after_candidate)
    return CarryOver(p, median(after_candidate) - median(after_head), len(after_head), len(after_candidate))


def _size(pair: Pair, same_kernel: bool) -> float:
    if not pair.valid:
        raise ValueError(f"a reading must be finite and > 0, got head {pair.head.ns}, candidate {pair.candidate.ns}")
    if same_kernel:
        return math.log(pair.candidate.ns if pair.first == "head" else pair.head.ns)
    return math.log(pair.head.ns) + math.log(pair.candidate.ns)
