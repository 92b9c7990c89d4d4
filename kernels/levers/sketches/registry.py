"""The sketch levers, the likeliest to win first."""

from collections.abc import Sequence

from kernels.levers.base import Lever
from kernels.levers.sketches.avx2 import Avx2
from kernels.levers.sketches.avx512 import Avx512Bf16
from kernels.levers.sketches.lever import SketchLever
from kernels.levers.sketches.portable import Portable


def sketch_levers() -> Sequence[Lever]:
    return (SketchLever(Avx512Bf16()), SketchLever(Avx2()), SketchLever(Portable()))
