"""Times the numpy reference of one kernel in a process of its own: a line on stdin asks, ns a call in JSON on stdout.

`python -m app.bench.numpy_calls PACK_FOLDER KERNEL SEED`. One call a time on inputs of the first regime, in float64,
with all threads of the BLAS and the scheduling class of a runner where that is permitted; weights of a quantised kernel
are decoded before.
"""

import contextlib
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

CALLS: Final = 5


def main(words: list[str]) -> None:
    folder, kernel, seed = words
    with contextlib.suppress(PermissionError):  # before numpy starts its threads, which inherit it
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    call = _reference(Path(folder), kernel, int(seed))
    call()
    for _ in sys.stdin:
        print(json.dumps(statistics.median(_timed(call) for _ in range(CALLS))), flush=True)


def _reference(folder: Path, kernel: str, seed: int) -> Callable[[], object]:
    """One call of it, inputs at hand."""
    from kernels.packs.lint_trial import Trial, trial_of
    from kernels.packs.loader import load_pack
    from kernels.packs.reference import load_reference

    spec = load_pack(folder).kernel(kernel)
    whole = trial_of(spec, seed, "generated", load_reference(spec))
    return Trial(spec, whole.reference, whole.weights, whole.bases, whole.calls[:1]).expected


def _timed(call: Callable[[], object]) -> float:
    start = time.perf_counter_ns()
    call()
    return float(time.perf_counter_ns() - start)


if __name__ == "__main__":
    main(sys.argv[1:])
