"""One run of Kernel Tuner, in an interpreter that has it: `PYTHON kt_worker.py FD`, the job as JSON on stdin.

Imports nothing of this program. The job: {"strategy", "options", "seed", "parameters", "restrictions", "compiler",
"source"}. The tunable kernel is a C function that writes its configuration to the socket FD and returns the time that
it reads back; whoever answers ends the run.
"""

import importlib
import json
import random
import sys

FOREVER = 10**6  # configurations


def main(descriptor: int) -> None:
    job = json.load(sys.stdin)
    numpy = importlib.import_module("numpy")
    tuner = importlib.import_module("kernel_tuner")
    random.seed(job["seed"])
    numpy.random.seed(job["seed"] % 2**32)
    tuner.tune_kernel(
        "configuration", job["source"].replace("SOCKET", str(descriptor)), 1, [], job["parameters"],
        restrictions=job["restrictions"] or None, lang="C", compiler=job["compiler"], iterations=1, quiet=True,
        strategy=job["strategy"], strategy_options={"max_fevals": FOREVER, **job["options"]},
    )  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]))
