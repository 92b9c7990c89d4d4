"""The levers for OpenCL C, the likeliest to win first."""

from collections.abc import Sequence
from typing import Final

from kernels.levers.base import Lever
from kernels.levers.flags import FlagLever
from kernels.levers.opencl_c.dot_lever import DotLever
from kernels.levers.opencl_c.group_lever import GroupLever
from kernels.levers.opencl_c.map_lever import MapLever
from kernels.levers.opencl_c.unroll_lever import UnrollLever
from kernels.levers.tunables import TunableLever

OPTIONS: Final = (
    FlagLever("-cl-fast-relaxed-math", "lets sums be reordered, so that loops of work-items are vectorised"),
    FlagLever("-cl-mad-enable", "lets a product and a sum become one instruction"),
    FlagLever("-cl-unsafe-math-optimizations", "lets sums be reordered, NaN and infinity kept"),
    FlagLever("-cl-no-signed-zeros", "lets zeros lose their sign, so that more sums are the same"),
)


def opencl_levers() -> Sequence[Lever]:
    return (
        DotLever("rows"), MapLever(), DotLever("group"), GroupLever(), UnrollLever(), TunableLever(), *OPTIONS,
    )  # fmt: skip
