"""Architectures: what a multiprocessor of each has, and which one code is made for.

Numbers of a multiprocessor: CUDA C++ Programming Guide 13.0, table "Technical Specifications per Compute Capability";
blocks and barriers a multiprocessor as in `cuda_occupancy.h` of CUDA 13.0.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kernels.targets.base import TargetError

KIB: Final = 1 << 10
DEFAULT: Final = "sm_90a"
"""Where no GPU says what it is."""
_SPECIFIC: Final = frozenset({(9, 0), (10, 0), (10, 3), (11, 0), (12, 0), (12, 1)})
"""Capabilities with instructions of their own (wgmma, tcgen05), which the suffix `a` opens: PTX ISA, directive
.target."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """name: as ptxas takes it. threads, blocks, registers, barriers, shared_bytes: of one multiprocessor; block_bytes:
    shared memory that one block may have, opted in."""

    name: str
    capability: tuple[int, int]
    threads: int
    blocks: int
    shared_bytes: int
    block_bytes: int
    registers: int = 65536

    @property
    def warps(self) -> int:
        return self.threads // 32

    @property
    def barriers(self) -> int:
        """Named barriers: two a block on large chips, one on the others."""
        return self.blocks * (2 if self.capability in {(8, 0), (9, 0), (10, 0), (10, 3)} else 1)

    @property
    def virtual(self) -> str:
        """As nvcc calls the PTX for it."""
        return self.name.replace("sm_", "compute_")


_TABLE: Final[Mapping[tuple[int, int], tuple[int, int, int, int]]] = {
    (7, 5): (1024, 16, 64, 64), (8, 0): (2048, 32, 164, 163), (8, 6): (1536, 16, 100, 99), (8, 7): (1536, 16, 164, 163),
    (8, 8): (1536, 16, 100, 99), (8, 9): (1536, 24, 100, 99), (9, 0): (2048, 32, 228, 227),
    (10, 0): (2048, 32, 228, 227), (10, 3): (2048, 32, 228, 227), (11, 0): (1536, 24, 228, 227),
    (12, 0): (1536, 24, 100, 99), (12, 1): (1536, 24, 100, 99),
}  # fmt: skip
"""Threads, blocks, KiB of shared memory of a multiprocessor; KiB of a block."""


def of_capability(major: int, minor: int) -> Architecture:
    """Raises: TargetError for a capability that is not in the table."""
    found = _TABLE.get((major, minor))
    if found is None:
        known = ", ".join(f"{a}.{b}" for a, b in _TABLE)
        raise TargetError("target 'cuda'", f"compute capability {major}.{minor} is not known", f"Known are {known}")
    threads, blocks, shared, block = found
    name = f"sm_{major}{minor}{'a' * ((major, minor) in _SPECIFIC)}"
    return Architecture(name, (major, minor), threads, blocks, shared * KIB, block * KIB)


def named(name: str) -> Architecture:
    """From `sm_90`, `sm_90a`, `sm_120`. Raises: TargetError."""
    found = re.fullmatch(r"sm_(\d+)(\d)a?", name)
    if found is None:
        raise TargetError(f"architecture {name!r}", "it is none", "Name one as sm_80 or sm_90a")
    return of_capability(int(found[1]), int(found[2]))
