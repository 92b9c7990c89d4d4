"""One abstract run of a row's reduction: which products it adds to which target, and where their operands stand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from tree_sitter import Node

from kernels.levers.abstract import Pointer, Product, Unsupported, Value, as_sum
from kernels.levers.interpreter import Interpreter
from kernels.levers.loops import CountedLoop, counted_loop, written_names
from kernels.levers.scope import Variable, declared_by
from kernels.levers.syntax import edited_text, field, identifiers, replace_node, text_of, walk, within
from kernels.levers.unit import Unit

CAP_FLAT: Final = 160
CAP_NESTED: Final = 12
K = TypeVar("K")


@dataclass(frozen=True)
class NestRun:
    """products: what was added to `target` in `iterations` rounds. loads: by array, a load and its address."""

    reduction: CountedLoop
    products: tuple[Product, ...]
    iterations: int
    target: str
    loads: Mapping[str, tuple[Node, int]]

    def address(self, root: str, wanted: int) -> str:
        """C text of the address of element `wanted` of the array, from the first iteration of the reduction's loops.

        Raises: Unsupported when the array is loaded in a called function.
        """
        if root not in self.loads:
            raise Unsupported("loaded where the trace does not see it")
        node, seen = self.loads[root]
        if not within(node, self.reduction.node):
            raise Unsupported("loaded elsewhere")
        place = _first_iteration(node, self.reduction.node)
        shift = wanted - seen
        return f"&{place}" if not shift else f"(&{place} {'+' if shift > 0 else '-'} {abs(shift)})"


def run_nest(
    unit: Unit,
    outer: Mapping[str, Variable],
    row: CountedLoop,
    reduction: CountedLoop,
    before: tuple[Node, ...],
    at: int,
) -> NestRun:
    """Runs row `at`. Raises: Unsupported when the reduction does anything but add products to one target."""
    machine = Interpreter(unit, outer)
    machine.names[row.variable] = at
    for statement in before:
        _run_if_known(machine, statement)
    names, memory = dict(machine.names), dict(machine.memory)
    machine.loads.clear()
    nested = any(n.type == "for_statement" for n in walk(reduction.body))
    iterations = machine.loop(reduction.node, CAP_NESTED if nested else CAP_FLAT)
    scalars = [n for n in _changed(names, machine.names) if n in names and n != reduction.variable]
    elements = _changed(memory, machine.memory)
    if len(scalars) + len(elements) != 1 or iterations < 2:
        raise Unsupported("not one target")
    if scalars:
        target, after, start = scalars[0], machine.names[scalars[0]], names[scalars[0]]
    else:
        place = elements[0]
        target, after = _lvalue(reduction, place[0]), machine.memory[place]
        start = memory[place] if place in memory else Interpreter(unit, outer).load(_target(outer, place))
    return NestRun(reduction, _added(after, start), iterations, target, machine.loads)


def _target(outer: Mapping[str, Variable], place: tuple[str, int]) -> Pointer:
    """The element that is added to."""
    return Pointer(*place, outer[place[0]].element if place[0] in outer else "float")


def _run_if_known(machine: Interpreter, statement: Node) -> None:
    """A statement that is not understood is left out; what needs its values is then not understood either."""
    names = dict(machine.names)
    try:
        machine.run(statement)
    except Unsupported:
        machine.names = {k: v for k, v in names.items() if k not in assigned_names(statement)}


def assigned_names(node: Node) -> set[str]:
    """Plain variables that the statement assigns or declares."""
    declared = {v.name for n in walk(node) if n.type == "declaration" for v in declared_by(n)}
    return declared | {name for n in walk(node) for name in written_names(n)}


def _changed(before: Mapping[K, Value], after: Mapping[K, Value]) -> list[K]:
    return [k for k, v in after.items() if k not in before or before[k] is not v]


def _added(after: Value, start: Value) -> tuple[Product, ...]:
    whole, known = as_sum(after).products, as_sum(start).products
    if whole[: len(known)] != known or len(whole) == len(known):
        raise Unsupported("the target is overwritten")
    return whole[len(known) :]


def _lvalue(reduction: CountedLoop, root: str) -> str:
    """Text of the array element that the reduction adds to."""
    found = {
        text_of(target)
        for node in walk(reduction.body)
        if node.type == "assignment_expression" and (target := field(node, "left")) is not None
        and target.type == "subscript_expression" and root in identifiers(target)
    }  # fmt: skip
    if len(found) != 1:
        raise Unsupported("target")
    return found.pop()


def _first_iteration(node: Node, reduction: Node) -> str:
    """Text of the node with loop variables at their lower bounds and locals of the reduction written out."""
    values = _definitions(node, reduction)
    edits = [
        replace_node(n, f"({values[text_of(n)]})")
        for n in walk(node)
        if n.type == "identifier" and text_of(n) in values
    ]
    return edited_text(node, edits)


def _definitions(node: Node, reduction: Node) -> dict[str, str]:
    """By name: what loop variables and initialised locals, declared between the reduction and the node, begin with."""
    found: dict[str, str] = {}
    for inner in walk(reduction):
        if inner.start_byte >= node.start_byte and not within(node, inner):
            break
        loop = counted_loop(inner)
        if loop is not None and within(node, inner):
            found[loop.variable] = _written_out(loop.lower, found)
        if inner.type == "init_declarator" and inner.parent is not None and inner.parent.type == "declaration":
            _note_local(inner, found)
    return found


def _note_local(declarator: Node, found: dict[str, str]) -> None:
    holder = declarator.parent.parent if declarator.parent is not None else None
    name, value = field(declarator, "declarator"), field(declarator, "value")
    while name is not None and name.type == "pointer_declarator":
        name = field(name, "declarator")
    if name is None or value is None or name.type != "identifier" or holder is None or holder.type == "for_statement":
        return
    edits = [
        replace_node(n, f"({found[text_of(n)]})") for n in walk(value) if n.type == "identifier" and text_of(n) in found
    ]
    found[text_of(name)] = edited_text(value, edits)


def _written_out(text: str, values: Mapping[str, str]) -> str:
    return f"({values[text]})" if text in values else text
