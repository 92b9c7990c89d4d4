"""Natural loops of machine code.

A branch back to an instruction that every way to the branch comes by closes a loop: the instructions that reach the
branch without leaving by its target. The way back from a rare block at the function's end is a backward branch, too,
but closes none. Source: Aho, Lam, Sethi, Ullman, Compilers, section 9.6.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kernels.profiling.disassembly import Function, Instruction

LARGEST: Final = 10_000
"""Instructions of a function that is looked through."""
MOST_HEADERS: Final = 100
"""Places that branches lead back to, in such a function."""


@dataclass(frozen=True, slots=True)
class Loop:
    """places: indices of its instructions in the function, in the order of their addresses. around: the loops about it,
    inner first."""

    function: Function
    header: int
    places: tuple[int, ...]
    around: tuple["Loop", ...] = ()

    @property
    def run(self) -> tuple[int, ...]:
        """What lies about its header without a gap: compilers move rare blocks away."""
        first = last = self.header
        inside = frozenset(self.places)
        while first - 1 in inside:
            first -= 1
        while last + 1 in inside:
            last += 1
        return tuple(range(first, last + 1))

    @property
    def body(self) -> tuple[Instruction, ...]:
        """The instructions of its run."""
        return tuple(self.function.instructions[place] for place in self.run)

    @property
    def address(self) -> int:
        return self.function.instructions[self.header].address

    @property
    def outermost(self) -> int:
        """The header of the nest that it is in; its own when it is in no other."""
        return self.around[-1].header if self.around else self.header

    @property
    def depth(self) -> int:
        """1 for a loop that is in no other."""
        return len(self.around) + 1


def innermost(function: Function) -> tuple[Loop, ...]:
    """The loops that contain no other, in their order, with those around them. None of a huge function."""
    if len(function.instructions) > LARGEST:
        return ()
    onward = _onward(function)
    back = [(index, first) for index, ways in enumerate(onward) for first in ways if first <= index]
    bodies = _natural(onward, back) if len({first for _, first in back}) <= MOST_HEADERS else {}
    return tuple(
        Loop(function, header, tuple(sorted(body)), _around(function, body, bodies))
        for header, body in sorted(bodies.items())
        if not any(other < body for other in bodies.values())
    )


def _around(function: Function, body: frozenset[int], bodies: Mapping[int, frozenset[int]]) -> tuple[Loop, ...]:
    outer = sorted(((header, other) for header, other in bodies.items() if body < other), key=lambda one: len(one[1]))
    return tuple(Loop(function, header, tuple(sorted(other))) for header, other in outer)


def _natural(onward: Sequence[Sequence[int]], back: Sequence[tuple[int, int]]) -> dict[int, frozenset[int]]:
    """Places of every loop by its header; several branches back to one header make one loop. back: (from, to)."""
    before: list[list[int]] = [[] for _ in onward]
    for index, ways in enumerate(onward):
        for way in ways:
            before[way].append(index)
    bodies: dict[int, frozenset[int]] = {}
    for header in {first for _, first in back}:
        others = _reached(onward, 0, without=header)
        for closing in (index for index, first in back if first == header and index not in others):
            body = _reached(before, closing, without=header) | {header}
            bodies[header] = bodies.get(header, frozenset()) | body
    return bodies


def _onward(function: Function) -> list[tuple[int, ...]]:
    """Where the function goes on after each instruction; nowhere after a return, nor after an indirect jump."""
    code = function.instructions
    places = {one.address: index for index, one in enumerate(code)}
    found = []
    for index, one in enumerate(code):
        ends = one.mnemonic.startswith("ret") or one.mnemonic == "jmp"
        following = () if ends or index + 1 == len(code) else (index + 1,)
        branch = (places[one.target],) if one.jumps and one.target in places else ()
        found.append((*branch, *following))
    return found


def _reached(ways: Sequence[Sequence[int]], start: int, *, without: int) -> set[int]:
    """What can be reached from a place without coming by one instruction."""
    seen, waiting = set[int](), [start]
    while waiting:
        place = waiting.pop()
        if place != without and place not in seen:
            seen.add(place)
            waiting.extend(ways[place])
    return seen
