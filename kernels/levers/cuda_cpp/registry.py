"""The levers for CUDA C++, the likeliest to win first."""

from collections.abc import Sequence
from typing import Final

from kernels.levers.base import Lever
from kernels.levers.cuda_cpp.block_lever import BlockLever
from kernels.levers.flags import FlagLever
from kernels.levers.tunables import TunableLever

REGISTERS: Final = ("-maxrregcount",)
FLAGS: Final = (
    FlagLever("--use_fast_math", "takes approximate functions and division, and flushes denormals to zero"),
    FlagLever("-maxrregcount=32", "fits all 2048 threads on a multiprocessor, by spills if need be", (), REGISTERS),
    FlagLever("-maxrregcount=64", "fits 1024 threads on a multiprocessor", (), REGISTERS),
    FlagLever("-maxrregcount=128", "fits 512 threads on a multiprocessor", (), REGISTERS),
    FlagLever("-Xptxas=-dlcm=cg", "keeps loads of global memory out of the first-level cache"),
)


def cuda_levers() -> Sequence[Lever]:
    return (BlockLever(), TunableLever(), *FLAGS)
