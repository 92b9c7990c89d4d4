"""Expressions on whole vectors: which parts of an expression move with a loop, and its text in vector types."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.literals import number
from kernels.levers.loops import CountedLoop
from kernels.levers.nests.numbers import is_whole
from kernels.levers.nests.strides import Access
from kernels.levers.scope import Variable
from kernels.levers.state import need
from kernels.levers.syntax import Edit, edited_text, identifiers, same, strip_parentheses, text_of, walk
from kernels.levers.unit import Unit

FLOATS: Final = {"float": 4, "double": 8}
WORDS: Final = {"int": 4, "int32_t": 4, "uint32_t": 4, "unsigned": 4, "int64_t": 8, "uint64_t": 8, "long": 8}
SIZES: Final = {**FLOATS, **WORDS}
TINY: Final = 1.2e-38
HUGE: Final = 3.4e38
_ARITHMETIC: Final = frozenset({"+", "-", "*", "/"})
_BITS: Final = frozenset({"+", "-", "*", "&", "|", "^"})


@dataclass(frozen=True)
class Terms:
    """element: of the vectors. by_node: accesses of the loop by first byte; locals: vectors that the body declares."""

    unit: Unit
    loop: CountedLoop
    element: str
    kind: str
    outer: Mapping[str, Variable]
    by_node: Mapping[int, Access]
    locals: frozenset[str]
    changed: frozenset[str]

    def vector(self, node: Node, shift: str) -> str:
        """Text of the value of consecutive turns that begin `shift` turns after the loop's variable.

        Raises: Unsupported for what does not work on whole vectors.
        """
        text, moves = self._value(node, shift)
        return text if moves else f"((({self.kind}){{0}}) + {self._cast(text)})"

    def _cast(self, text: str) -> str:
        """A value that all turns share, computed as it stands in the source."""
        return f"({self.element}){text}" if text.isidentifier() or text.isdigit() else f"({self.element})({text})"

    def place(self, node: Node, shift: str) -> str:
        """The vector that begins at this element."""
        return f"*({self.kind} *)&{self.moved(node, shift)}"

    def moved(self, node: Node, shift: str) -> str:
        """Text of an element `shift` turns further."""
        name = self.loop.variable
        inner = [n for n in walk(node) if n.type == "identifier" and text_of(n) == name]
        edits = [Edit(n.start_byte, n.end_byte, f"({name} + {shift})" if shift else name) for n in inner]
        return edited_text(node, edits)

    def _value(self, node: Node, shift: str) -> tuple[str, bool]:
        """Text, and whether it is a vector."""
        node = strip_parentheses(node)
        match node.type:
            case "subscript_expression" | "pointer_expression":
                return self._load(node, shift)
            case "identifier" | "number_literal":
                return self._single(node)
            case "binary_expression":
                return self._binary(node, shift)
            case "unary_expression" if text_of(node).startswith("-"):
                text, moves = self._value(need(node, "argument"), shift)
                return f"(-{text})", moves
            case "cast_expression" if text_of(need(node, "type")).strip() == self.element:
                text, moves = self._value(need(node, "value"), shift)
                return (text if moves else f"(({self.element}){text})"), moves
        raise Unsupported(f"{node.type} on vectors")

    def _load(self, node: Node, shift: str) -> tuple[str, bool]:
        access = self.by_node.get(node.start_byte)
        if access is None or not same(access.node, node) or access.element != self.element:
            raise Unsupported("a load of another type")
        if access.stride == 1:
            return f"*(const {self.kind} *)&{self.moved(node, shift)}", True
        moving = {self.loop.variable} | self.locals | self.changed
        if not access.still or identifiers(node) & moving:
            raise Unsupported("elements that are not neighbours")
        return text_of(node), False

    def _single(self, node: Node) -> tuple[str, bool]:
        name = text_of(node)
        if name in self.locals:
            return name, True
        if node.type == "number_literal":
            self._check_literal(name)
            return name, False
        variable = self.outer.get(name)
        known = variable is not None and variable.is_scalar and self._fits(variable.element)
        if name == self.loop.variable or name in self.changed or (variable is not None and not known):
            raise Unsupported(f"{name} on vectors")
        if variable is None and not self._is_constant(name):
            raise Unsupported(f"{name}, whose type is not known, on vectors")
        return name, False

    def _check_literal(self, text: str) -> None:
        """Raises: Unsupported for a number that the element's type does not hold."""
        value = number(text)
        if self.element not in FLOATS and not isinstance(value, int):
            raise Unsupported(f"{text} as {self.element}")
        if self.element == "float" and value and not TINY <= abs(value) <= HUGE:
            raise Unsupported(f"{text} as float")

    def _is_constant(self, name: str) -> bool:
        """Whether a name that the function does not declare is a macro of a number that fits."""
        macro = self.unit.macros.get(name)
        if macro is None or (self.element not in FLOATS and is_whole(self.unit, self.outer, macro) is not True):
            return False
        kinds = {n.type for n in walk(macro)}
        return not kinds & {"call_expression", "subscript_expression", "pointer_expression", "assignment_expression"}

    def _fits(self, element: str) -> bool:
        """Whether a scalar of that type keeps its value."""
        if self.element in FLOATS:
            return element == self.element or element in WORDS or (self.element == "double" and element == "float")
        return element == self.element

    def _binary(self, node: Node, shift: str) -> tuple[str, bool]:
        operator = text_of(need(node, "operator"))
        if operator not in (_ARITHMETIC if self.element in FLOATS else _BITS):
            raise Unsupported(f"operator {operator} on vectors")
        (left, first), (right, second) = (self._value(need(node, side), shift) for side in ("left", "right"))
        if not first and not second:
            return f"({left} {operator} {right})", False
        texts = [text if moves else self._cast(text) for text, moves in ((left, first), (right, second))]
        return f"({texts[0]} {operator} {texts[1]})", True
