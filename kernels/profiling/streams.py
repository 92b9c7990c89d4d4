"""Which loads of a loop bring new memory with every turn of it and of the loops around it, and how many bytes a turn.

A load whose address moves with the loop but begins anew at the same place in each turn of a loop around it (the vector
of a mat-vec) reads again what a cache still has: it takes cycles, not bandwidth. A load whose address comes from loaded
data is a look-up in a table. Both are left out of the count.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kernels.profiling.disassembly import Instruction
from kernels.profiling.loops import Loop
from kernels.profiling.operands import Address, is_vector, loads, reads, writes
from kernels.profiling.widths import loaded_bytes


@dataclass(frozen=True, slots=True)
class Load:
    """place: index of its instruction in the function. width: bytes."""

    place: int
    address: Address
    width: int


def streaming(loop: Loop) -> tuple[Load, ...]:
    """Loads that bring new memory."""
    found = moving(loop)
    for depth in range(len(loop.around)):
        found = _varying(loop, found, depth)
    return found


def moving(loop: Loop) -> tuple[Load, ...]:
    """Loads whose address moves with the loop by itself, not by what was loaded."""
    body = loop.body
    written = frozenset[str]().union(*map(writes, body))
    data = _from_memory(body)
    found = []
    for place, one in zip(loop.run, body, strict=True):
        for address in loads(one):
            width, registers = loaded_bytes(one), address.registers
            if width and not address.slot and registers & written and not registers & data:
                found.append(Load(place, address, width))
    return tuple(found)


def distinct_bytes(found: Iterable[Load]) -> int:
    """Bytes that the loads cover, each place counted once: (%rdi), (%rdi) and 4(%rdi) of 8 bytes each are 12."""
    places: dict[tuple[str, str, int], set[int]] = {}
    for load in found:
        key = (load.address.base, load.address.index, load.address.scale)
        start = load.address.displacement
        places.setdefault(key, set()).update(range(start, start + load.width))
    return sum(len(covered) for covered in places.values())


def _from_memory(body: Sequence[Instruction]) -> frozenset[str]:
    """Registers that hold what the loop has loaded, or what was made from it; the stack's slots are no memory."""
    data: set[str] = set()
    while True:
        new = {name for one in body if _is_data(one, data) for name in writes(one)} - data
        if not new:
            return frozenset(data)
        data |= new


def _is_data(one: Instruction, data: set[str]) -> bool:
    sources = reads(one)
    return one.calls or bool(sources & data) or any(map(is_vector, sources)) or any(not a.slot for a in loads(one))


def _varying(loop: Loop, found: Sequence[Load], depth: int) -> tuple[Load, ...]:
    """Those whose first address in a turn of the loop at this depth around it differs from turn to turn.

    Follows what runs between two entries of the loop: the rest of the outer loop, then its beginning up to the loads.
    """
    outer = loop.around[depth]
    child = loop.around[depth - 1] if depth else loop
    code, inside = loop.function.instructions, frozenset(child.places)
    touched = {place: (reads(code[place]), writes(code[place])) for place in outer.places}
    varying = {name for _, changed in touched.values() for name in changed}
    rest = [place for place in outer.places if place > child.header and place not in inside]
    kept: set[Load] = set()
    for place in (*rest, *(place for place in outer.places if place <= loop.run[-1])):
        kept |= {load for load in found if load.place == place and load.address.registers & varying}
        used, changed = touched[place]
        varying = varying | changed if used & varying else varying - changed
    return tuple(load for load in found if load in kept)
