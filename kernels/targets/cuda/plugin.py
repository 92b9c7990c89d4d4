"""The plug-in of target `cuda`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kernels.targets.cuda.gpu import no_gpu
from kernels.targets.cuda.target import NO_SANITIZER, Cuda
from kernels.targets.plugin import Ability, Plugin
from kernels.values.dialect import Dialect

RUNNING: Final[tuple[Ability, ...]] = ("run", "timeline", "limits", "health")


def gaps() -> Iterator[tuple[Ability, str]]:
    """What it cannot do, here: without a GPU nothing runs."""
    yield "sanitize", NO_SANITIZER
    if why := no_gpu():
        yield "schedule", f"nothing says clock and multiprocessors: {why}; occupancy and a census are told, no time"
        yield from ((ability, f"nothing runs: {why}") for ability in RUNNING)


PLUGIN: Final = Plugin(
    "cuda", "CUDA C++ on a GPU of NVIDIA, by nvcc", Cuda,
    dialect=Dialect("cuda", "baseline.cu", "kernel.cu"),
    gaps=dict(gaps()),
    header=Path(__file__).parent / "include" / "kernelwright.h",
    make_with=Cuda,
)  # fmt: skip
