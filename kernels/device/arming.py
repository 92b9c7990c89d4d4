"""Whether a candidate is at work between the messages that make it ready and its calls, which is not timed.

Before each call the harness wakes its pool and says so: some 20 us for every kernel alike. Code of a candidate that has
taken the place of the harness's loop could fetch weights into the cache before it says that it is ready. Inputs come
after that, 3 us before the call. Seen in public: gpu-mode/reference-kernels pull 104.
"""

import statistics
from collections.abc import Sequence
from typing import Final

FEWEST: Final = 3  # pairs
MORE_NS: Final = 50e3  # half a megabyte to a megabyte of weights could be fetched meanwhile, not more


def works_early(more_ns: Sequence[float]) -> str:
    """Why it is not only waiting, "" when it is. more_ns: of each pair, by how much its median time to get ready was
    longer than the head's."""
    if len(more_ns) < FEWEST or statistics.median(more_ns) <= MORE_NS:
        return ""
    more = 1e-3 * statistics.median(more_ns)
    return f"it takes {more:.0f} us longer than the head to get ready for a call: something is done before it"
