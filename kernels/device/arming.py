"""Whether a candidate is at work between the messages that make it ready and its calls, which is not timed.

Before each call the harness wakes its pool and says so: some 20 us for every kernel alike. Code of a candidate that has
taken the place of the harness's loop could fetch weights into the cache before it says that it is ready. Inputs come
after that, 3 us before the call. Seen in public: gpu-mode/reference-kernels pull 104.
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

FEWEST: Final = 3  # pairs
MORE_NS: Final = 50e3  # half a megabyte to a megabyte of weights could be fetched meanwhile, not more
TIMES_NOISE: Final = 3.0
NEARLY_ALL: Final = 0.75  # of the pairs: what is done before a call is done before every call


@dataclass(frozen=True, slots=True)
class Armed:
    """Median time to get ready for a call in one pair, ns."""

    head_ns: float
    candidate_ns: float


class TooBusy(Exception):
    """Getting ready takes now this long and now that: nothing can be said of the candidate."""


def works_early(pairs: Sequence[Armed]) -> str:
    """Why it is not only waiting, "" when it is.

    Raises: TooBusy when the candidate takes longer by no more than the head's own times differ among the pairs, or in
    some pairs only.
    """
    if len(pairs) < FEWEST:
        return ""
    longer = [one.candidate_ns - one.head_ns for one in pairs]
    more, often = statistics.median(longer), sum(ns > MORE_NS for ns in longer)
    if more <= MORE_NS:
        return ""
    heads = [one.head_ns for one in pairs]
    noise = statistics.median(abs(ns - statistics.median(heads)) for ns in heads)
    if more <= TIMES_NOISE * noise:
        raise TooBusy(
            f"the machine is too busy: the head's own time to get ready for a call differs by {1e-3 * noise:.0f} us "
            f"between pairs, so that {1e-3 * more:.0f} us more of the candidate say nothing"
        )
    if often < NEARLY_ALL * len(pairs):
        raise TooBusy(
            f"the machine is too busy: the candidate took {1e-3 * more:.0f} us longer to get ready for a call, but in "
            f"{often} of {len(pairs)} pairs only"
        )
    return f"it takes {1e-3 * more:.0f} us longer than the head to get ready for a call: something is done before it"
