"""Whether a loop's turns can be shared out to threads: because they touch different elements, or because what they all
touch is a sum that each thread can keep for itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.base import Context, LeverDoesNotApply
from kernels.levers.by_text import writes_own_elements
from kernels.levers.effects import behind
from kernels.levers.loops import CountedLoop, leaves_early
from kernels.levers.nests.integers import integers_of
from kernels.levers.nests.order import Carried, carried
from kernels.levers.nests.places import SIZES
from kernels.levers.nests.scopes import places_at
from kernels.levers.nests.trace import trace
from kernels.levers.outline import capture, names_used
from kernels.levers.scope import Variable, visible
from kernels.levers.unit import Unit, function_name

MOST_BYTES: Final = 1 << 20  # of all threads' own sums, which stand on the stack


@dataclass(frozen=True, slots=True)
class Sum:
    """A variable or array that all turns add to. extent: C text of the number of elements, "" for a scalar."""

    variable: Variable
    extent: str


def shared_sums(unit: Unit, function: Node, loop: CountedLoop, context: Context) -> tuple[Sum, ...] | None:
    """What each thread has to sum for itself, () when nothing; None when the turns cannot be shared out."""
    if leaves_early(loop.body):
        return None
    try:
        found = carried(trace(unit, [loop.node]))
        sums = _sums(unit, function, loop, found, context)
        capture(function, loop, names_used(loop.body), summed=[s.variable.name for s in sums])
    except Unsupported:
        return () if _by_text(unit, function, loop) else None
    except LeverDoesNotApply:
        return None
    return sums


def independent(unit: Unit, loop: CountedLoop) -> bool:
    """Whether different turns touch different elements, scalars left out; by the text where no trace can tell."""
    try:
        found = carried(trace(unit, [loop.node]))
    except Unsupported:
        return writes_own_elements(unit, loop)
    return found.nothing


def _sums(unit: Unit, function: Node, loop: CountedLoop, found: Carried, context: Context) -> tuple[Sum, ...]:
    """Raises: LeverDoesNotApply when something else is carried from turn to turn."""
    if found.blocked or any(kind != "+" for kind in found.reduced.values()):
        raise LeverDoesNotApply("the turns depend on each other")
    outside, pointers = visible(function, loop.node), places_at(unit, loop.node).pointers
    used = behind(unit.source, names_used(loop.body))
    if any(pointers[name].root in found.reduced for name in used & pointers.keys()):
        raise LeverDoesNotApply("a sum through a pointer that is declared outside of the loop")
    sums = [_sum(unit, function, outside, name, context) for name in sorted(found.reduced)]
    size = sum(_bytes(unit, s) for s in sums) * max(2, context.machine.threads)
    if size > MOST_BYTES:
        raise LeverDoesNotApply(f"{size} bytes for the threads' own sums")
    return tuple(sums)


def _sum(unit: Unit, function: Node, outside: Mapping[str, Variable], name: str, context: Context) -> Sum:
    variable = outside.get(name)
    if variable is None or variable.element not in SIZES or variable.pointers > 1:
        raise LeverDoesNotApply(f"{name} is a sum over all turns")
    if variable.is_scalar:
        return Sum(variable, "")
    sizes = [a for a in context.spec.arguments if a.name == name and function_name(function) == context.spec.entry]
    if variable.dims and all(variable.dims):
        return Sum(variable, " * ".join(f"({d})" for d in variable.dims))
    if not sizes:
        raise LeverDoesNotApply(f"the size of {name} is not known")
    return Sum(variable, _named(unit, prod(sizes[0].shape)))


def _named(unit: Unit, extent: int) -> str:
    """The name of the macro of that value, or its digits."""
    integers = integers_of(unit.source)
    for name, node in unit.macros.items():
        try:
            if integers.evaluate(node, {}) == extent:
                return name
        except Unsupported:
            continue
    return str(extent)


def _bytes(unit: Unit, one: Sum) -> int:
    """Of one thread's copy; 0 when it is not known."""
    try:
        return SIZES[one.variable.element] * (integers_of(unit.source).text(one.extent, {}) if one.extent else 1)
    except Unsupported:
        return 0


def _by_text(unit: Unit, function: Node, loop: CountedLoop) -> bool:
    try:
        capture(function, loop, names_used(loop.body))
    except LeverDoesNotApply:
        return False
    return writes_own_elements(unit, loop)
