"""How a call of a CUDA candidate is made: the lines of OpenCL's, in the terms of CUDA."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from kernels.targets.cuda.language import launch_lines
from kernels.targets.opencl.launches import LAUNCH, BadLaunch, Plan, plan_of
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec

BLOCK_LIMIT: Final = 1024
"""Threads in a block, of every architecture: CUDA C++ Programming Guide, table of technical specifications."""
GRID_LIMIT: Final = (1 << 31) - 1
"""Blocks in the first dimension of a grid, same source."""


def cuda_plan(candidate: Candidate, shared_limit: int = 1 << 30, sizes: Mapping[str, int] | None = None) -> Plan:
    """shared_limit: bytes of shared memory that a block may have. sizes: of the kernel's dimensions, which launches may
    name. Raises: BadLaunch."""
    flags = tuple(f"-D{name}={size}" for name, size in (sizes or {}).items())
    plan = plan_of(replace(candidate, flags=(*candidate.flags, *flags)), BLOCK_LIMIT, launch_lines, shared=True)
    for one in plan.launches:
        if one.size // one.group > GRID_LIMIT:
            raise BadLaunch(
                f"{LAUNCH}({one.function}): {one.size // one.group} blocks; a grid has at most {GRID_LIMIT}"
            )
        if not 0 <= one.shared <= shared_limit:
            found = f"{one.shared} bytes of dynamic shared memory; a block has at most {shared_limit}"
            raise BadLaunch(f"{LAUNCH}({one.function}): {found}")
    return plan


def sizes_of(spec: KernelSpec) -> dict[str, int]:
    """Of its dimensions, at its shape."""
    return {a.name: int(a.value or 0) for a in spec.arguments if a.role == "dimension"}
