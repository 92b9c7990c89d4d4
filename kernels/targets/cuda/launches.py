"""How a call of a CUDA candidate is made: the lines of OpenCL's, in the terms of CUDA."""

from collections.abc import Mapping
from typing import Final

from kernels.targets.cuda.language import launch_lines
from kernels.targets.opencl.launches import LAUNCH, BadLaunch, Plan, plan_of
from kernels.values.candidate import Candidate

BLOCK_LIMIT: Final = 1024
"""Threads in a block, of every architecture: CUDA C++ Programming Guide, table of technical specifications."""
GRID_LIMIT: Final = (1 << 31) - 1
"""Blocks in the first dimension of a grid, same source."""


def cuda_plan(candidate: Candidate, sizes: Mapping[str, int], shared_limit: int = 1 << 30) -> Plan:
    """sizes: as in `plan_of`. shared_limit: bytes of shared memory that a block may have. Raises: BadLaunch."""
    plan = plan_of(candidate, sizes, BLOCK_LIMIT, launch_lines, shared=True)
    for one in plan.launches:
        if one.size // one.group > GRID_LIMIT:
            raise BadLaunch(
                f"{LAUNCH}({one.function}): {one.size // one.group} blocks; a grid has at most {GRID_LIMIT}"
            )
        if not 0 <= one.shared <= shared_limit:
            found = f"{one.shared} bytes of dynamic shared memory; a block has at most {shared_limit}"
            raise BadLaunch(f"{LAUNCH}({one.function}): {found}")
    return plan
