"""How many blocks of a kernel a multiprocessor holds at once, from registers, shared memory, threads and barriers.

The formula is that of `cuda_occupancy.h` of CUDA 13.0 (cudaOccMaxActiveBlocksPerMultiprocessor), for the capabilities
from 7.5 on: registers go to warps in units of 256 within four sub-partitions, shared memory to blocks in units of 128
bytes (256 on 7.x) with 1 KiB for the system from 8.0 on.
"""

from dataclasses import dataclass
from typing import Final

from kernels.targets.cuda.architecture import Architecture

WARP: Final = 32
PARTITIONS: Final = 4
REGISTER_UNIT: Final = 256
MOST_REGISTERS: Final = 255


@dataclass(frozen=True, slots=True)
class Occupancy:
    """blocks: at once on a multiprocessor; share: of the warps that it can hold; limit: what keeps it from more."""

    blocks: int
    warps: int
    share: float
    limit: str

    @property
    def text(self) -> str:
        return f"{self.blocks} blocks a multiprocessor, {self.warps} warps, {self.share:.0%}, by {self.limit}"


def occupancy(chip: Architecture, block: int, registers: int, shared: int, barriers: int = 0) -> Occupancy:
    """block: threads in a block; registers: of a thread; shared: bytes of a block, static and dynamic."""
    warps = -(-block // WARP)
    bounds = {
        "threads": chip.warps // warps, "blocks": chip.blocks, "registers": _by_registers(chip, warps, registers),
        "shared memory": _by_shared(chip, shared),
        "barriers": chip.barriers // barriers if barriers and chip.capability[0] >= 9 else chip.blocks,
    }  # fmt: skip
    limit = min(bounds, key=lambda name: bounds[name])
    blocks = bounds[limit]
    return Occupancy(blocks, blocks * warps, blocks * warps / chip.warps, limit)


def _by_registers(chip: Architecture, warps: int, registers: int) -> int:
    if not registers:
        return chip.blocks
    a_warp = _up(registers * WARP, REGISTER_UNIT)
    if a_warp * _up(warps, PARTITIONS) > chip.registers or registers > MOST_REGISTERS:
        return 0
    return chip.registers // PARTITIONS // a_warp * PARTITIONS // warps


def _by_shared(chip: Architecture, shared: int) -> int:
    new = chip.capability[0] >= 8
    taken = _up(shared + (1024 if new else 0), 128 if new else 256)
    if shared > chip.block_bytes:
        return 0
    return chip.shared_bytes // taken if taken else chip.blocks


def _up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
