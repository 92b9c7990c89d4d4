"""What `ptxas -v` says that each kernel takes of a multiprocessor.

Lines as ptxas of CUDA 13.0 prints them, in this order for every entry point:

    ptxas info    : Compiling entry function 'mv' for 'sm_90'
    ptxas info    : Function properties for mv
        0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
    ptxas info    : Used 32 registers, used 1 barriers, 128 bytes smem, 400 bytes cmem[0]
"""

import re
from dataclasses import dataclass
from typing import Any, Final

from kernels.targets.cuda.architecture import Architecture
from kernels.targets.cuda.occupancy import Occupancy, occupancy

_ENTRY: Final = re.compile(r"Compiling entry function '([^']+)' for '([^']+)'")
_PROPERTIES: Final = re.compile(r"Function properties for (\S+)")
_STACK: Final = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED: Final = re.compile(r"Used (\d+) registers")
_BARRIERS: Final = re.compile(r"used (\d+) barriers")
_SHARED: Final = re.compile(r"(\d+)(?:\+(\d+))? bytes smem")
_CONSTANT: Final = re.compile(r"(\d+)(?:\+(\d+))? bytes cmem\[\d+\]")


@dataclass(frozen=True, slots=True)
class Resources:
    """Of one kernel. registers: of a thread; stack, spill_stores, spill_loads: bytes of a thread in local memory;
    shared: static bytes of a block; constant: bytes of all its constant banks."""

    kernel: str
    registers: int
    barriers: int = 0
    shared: int = 0
    constant: int = 0
    stack: int = 0
    spill_stores: int = 0
    spill_loads: int = 0

    @property
    def spills(self) -> int:
        return self.spill_stores + self.spill_loads

    def occupancy(self, chip: Architecture, block: int, dynamic: int = 0) -> Occupancy:
        """dynamic: bytes of shared memory that the launch brings."""
        return occupancy(chip, block, self.registers, self.shared + dynamic, self.barriers)

    def to_json(self) -> dict[str, Any]:
        return {
            "kernel": self.kernel, "registers": self.registers, "barriers": self.barriers, "shared": self.shared,
            "constant": self.constant, "stack": self.stack, "spill_stores": self.spill_stores,
            "spill_loads": self.spill_loads,
        }  # fmt: skip


def read_resources(text: str) -> dict[str, Resources]:
    """By kernel, in the order of the report; functions that are no entry points are left out."""
    found: dict[str, Resources] = {}
    entry = about = ""
    stack = (0, 0, 0)
    for line in text.splitlines():
        if said := _ENTRY.search(line):
            entry, stack = said[1], (0, 0, 0)
        elif said := _PROPERTIES.search(line):
            about = said[1]
        elif (said := _STACK.search(line)) and about == entry:
            stack = (int(said[1]), int(said[2]), int(said[3]))
        elif (said := _USED.search(line)) and entry:
            found[entry] = _resources(entry, int(said[1]), line, stack)
            entry = ""
    return found


def _resources(kernel: str, registers: int, line: str, stack: tuple[int, int, int]) -> Resources:
    barriers = _BARRIERS.search(line)
    shared, constant = (_bytes(pattern, line) for pattern in (_SHARED, _CONSTANT))
    return Resources(kernel, registers, int(barriers[1]) if barriers else 0, shared, constant, *stack)


def _bytes(pattern: re.Pattern[str], line: str) -> int:
    """Of all that match; `1024+16` is the user's and the system's."""
    return sum(int(one) + int(more or 0) for one, more in pattern.findall(line))
