"""When a pair is measured again: only for reasons that stay the same when head and candidate swap places.

Never because one reading looks large: with a candidate 2.9 times as fast, "1.5 x the median" would flag 41 % of the
pairs, all on the head's side.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from kernels.device.modes import NEAR, distance
from kernels.values.reading import Pair

STRANGE: Final = 1.5
HISTORY: Final = 3  # pairs before the running median means something


def mode_changed(before: float, after: float) -> str:
    """Why probes of so many GB/s before and after a pair or block void it; "" when they agree."""
    if distance(before, after) <= NEAR:
        return ""
    return f"the mode changed meanwhile: probe {before:.1f} GB/s before, {after:.1f} GB/s after"


@dataclass(slots=True)
class Redo:
    """Decides for the pairs of one test, in order. probed: the kernel has weights, so that the probes say something."""

    probed: bool
    _ratios: list[float] = field(default_factory=list)

    def reason(self, pair: Pair) -> str:
        """Why this pair should be measured again; "" when it stands. Counts the pair in."""
        before, after = pair.probe_before_gbs, pair.probe_after_gbs
        if self.probed and (changed := mode_changed(before, after)):
            return changed
        if not pair.valid:
            return ""
        both = math.sqrt(pair.head.ns * pair.candidate.ns)
        return self._strange(both * math.sqrt(before * after) if self.probed else both)

    def _strange(self, ratio: float) -> str:
        known: Sequence[float] = tuple(self._ratios)
        self._ratios.append(ratio)
        if len(known) < HISTORY or ratio <= STRANGE * statistics.median(known):
            return ""
        factor = ratio / statistics.median(known)
        return f"both readings together, against the probe, are {factor:.2f} x their running median"
