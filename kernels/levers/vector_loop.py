"""Loops over contiguous floats: one statement whose expression can be computed on whole vectors."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.interpreter import Interpreter
from kernels.levers.loops import CountedLoop
from kernels.levers.scope import Variable, visible
from kernels.levers.syntax import (
    Edit,
    edited_text,
    enclosing,
    field,
    named,
    replace_node,
    statements,
    strip_parentheses,
    text_of,
)
from kernels.levers.unit import Unit

_OPERATORS: Final = frozenset({"+", "-", "*", "/"})
SIZES: Final = {"float": 4, "double": 8}


@dataclass(frozen=True)
class VectorLoop:
    """`target op value` for consecutive elements. loads: those in the value, unit stride. element: float or double."""

    loop: CountedLoop
    function: Node
    target: Node
    operator: str
    value: Node
    loads: tuple[Node, ...]
    element: str

    def vector_value(self, kind: str, shift: str) -> str:
        """C text of the value on whole vectors of type `kind` that begin `shift` elements after the loop's variable."""
        edits = [replace_node(n, self.vector_place(n, kind, shift)) for n in self.loads]
        return edited_text(self.value, edits)

    def vector_place(self, node: Node, kind: str, shift: str) -> str:
        """The vector that begins at this element."""
        return f"*(const {kind} *)&{self.moved(node, shift)}"

    def moved(self, node: Node, shift: str) -> str:
        """Text of an element `shift` elements further."""
        name = self.loop.variable
        inner = [n for n in _walk_names(node) if text_of(n) == name]
        edits = [Edit(n.start_byte, n.end_byte, f"({name} + {shift})" if shift else name) for n in inner]
        return edited_text(node, edits)


def vector_loop(unit: Unit, loop: CountedLoop) -> VectorLoop | None:
    """The loop as a vector loop, or None."""
    function = enclosing(loop.node, "function_definition")
    body = statements(loop.body)
    if function is None or len(body) != 1 or body[0].type != "expression_statement":
        return None
    assignment = named(body[0])[0]
    target, value, operator = (field(assignment, name) for name in ("left", "right", "operator"))
    if assignment.type != "assignment_expression" or target is None or value is None or operator is None:
        return None
    outer = visible(function, loop.node)
    loads = list(_loads(unit, outer, loop, value))
    elements = {e for _, e in loads}
    if None in elements or len(elements) != 1:
        return None
    element = elements.pop() or ""
    return VectorLoop(
        loop, function, target, text_of(operator), value, tuple(n for n, _ in loads if n is not None), element
    )


def _loads(
    unit: Unit, outer: dict[str, Variable], loop: CountedLoop, node: Node
) -> Iterator[tuple[Node | None, str | None]]:
    """Unit-stride loads and their element types; an entry with None where the expression is not of that kind."""
    node = strip_parentheses(node)
    match node.type:
        case "subscript_expression":
            kind = unit_stride(unit, outer, loop, node)
            yield node, kind
        case "binary_expression" if text_of(field(node, "operator") or node) in _OPERATORS:
            for side in ("left", "right"):
                child = field(node, side)
                if child is not None:
                    yield from _loads(unit, outer, loop, child)
        case "unary_expression" if text_of(node).startswith("-"):
            child = field(node, "argument")
            if child is not None:
                yield from _loads(unit, outer, loop, child)
        case "number_literal" | "identifier" if _is_factor(outer, loop, node):
            return
        case _:
            yield None, None


def _is_factor(outer: dict[str, Variable], loop: CountedLoop, node: Node) -> bool:
    """A float that is the same in every iteration."""
    name = text_of(node)
    if node.type == "number_literal":
        return name.endswith("f") and not name.startswith("0x")
    return name != loop.variable and name in outer and outer[name].is_scalar and outer[name].element in SIZES


def unit_stride(unit: Unit, outer: dict[str, Variable], loop: CountedLoop, node: Node) -> str | None:
    """Element type of array[index] when one iteration moves it by one element, else None."""
    root = node
    while root.type == "subscript_expression":
        inner = field(root, "argument")
        if inner is None:
            return None
        root = strip_parentheses(inner)
    variable = outer.get(text_of(root))
    if variable is None or variable.is_scalar or variable.element not in SIZES:
        return None
    places = [_place(unit, outer, loop, node, at) for at in (3, 4, 9)]
    if None in places:
        return None
    first = places[0] or 0
    return variable.element if [p - first for p in places if p is not None] == [0, 1, 6] else None


def _place(unit: Unit, outer: dict[str, Variable], loop: CountedLoop, node: Node, at: int) -> int | None:
    machine = Interpreter(unit, outer)
    machine.names[loop.variable] = at
    try:
        return machine.address(node).offset
    except Unsupported:
        return None


def _walk_names(node: Node) -> Iterator[Node]:
    if node.type == "identifier":
        yield node
    for child in node.children:
        yield from _walk_names(child)
