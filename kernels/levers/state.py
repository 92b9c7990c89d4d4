"""Names and memory of an abstract run: what a variable holds, where an element stands, what a load gives."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from tree_sitter import Node

from kernels.levers.abstract import ByteValue, Half, Leaf, LeafKind, Pointer, Product, Sum, Unsupported, Value
from kernels.levers.scope import Variable
from kernels.levers.syntax import field, named, parse_expression, text_of
from kernels.levers.tables import table_values
from kernels.levers.unit import Unit

STEPS: Final = 30_000
DEPTH: Final = 6
_INTEGERS: Final = frozenset(
    {"int", "int32_t", "int64_t", "long", "size_t", "unsigned", "uint32_t", "ptrdiff_t", "short"}
)
HALVES: Final = frozenset({"kw_bf16"})
FLOATS: Final[Mapping[str, LeafKind]] = {"float": "f32", "double": "f64"}


class State:
    """One run. `names` holds local variables, `memory` elements that were written; subclasses evaluate and execute."""

    def __init__(self, unit: Unit, outer: Mapping[str, Variable], depth: int = 0) -> None:
        self._unit = unit
        self._outer = outer
        self._depth = depth
        self._steps = 0
        self._unknown: dict[str, int] = {}
        self._zeroed: set[str] = set()
        self.names: dict[str, Value] = {}
        self.memory: dict[tuple[str, int], Value] = {}
        self.loads: dict[str, tuple[Node, int]] = {}  # by root, the first load's place and address

    def evaluate(self, node: Node) -> Value:
        """Raises: Unsupported."""
        raise Unsupported(node.type)

    def _name(self, name: str) -> Value:
        if name in self.names:
            return self.names[name]
        if name in self._outer:
            return self._outer_value(self._outer[name])
        if name in self._unit.macros:
            return self._at_file_scope(self._unit.macros[name])
        if name in ("NAN", "INFINITY"):
            return float("nan") if name == "NAN" else float("inf")
        table = self._unit.tables.get(name)
        if table is not None:
            return Pointer(name, 0, table.element)
        raise Unsupported(f"name {name}")

    def _at_file_scope(self, node: Node) -> Value:
        if self._depth > DEPTH:
            raise Unsupported("macros too deep")
        return type(self)(self._unit, {}, self._depth + 1).evaluate(node)

    def _outer_value(self, variable: Variable) -> Value:
        if not variable.is_scalar:
            if variable.pointers > 1 or (variable.pointers and variable.dims):
                raise Unsupported("pointer to pointer")
            return Pointer(variable.name, 0, variable.element, self._dims(variable))
        if variable.element in _INTEGERS:
            return self._unknown.setdefault(variable.name, 4096 * (3 + len(self._unknown)))
        if variable.element in FLOATS:
            return Sum((Product(1.0, (Leaf("scalar", variable.name, -1),)),))
        if variable.element in HALVES:
            return Half(variable.name, -1)
        raise Unsupported(f"type {variable.base}")

    def _dims(self, variable: Variable) -> tuple[int, ...]:
        extents = []
        for text in variable.dims[1:]:
            value = self._at_file_scope(parsed(text))
            if not isinstance(value, int):
                raise Unsupported("array extent")
            extents.append(value)
        return tuple(extents)

    def address(self, node: Node) -> Pointer:
        """Of an element: a[i], a[i][j], *(a + i)."""
        if node.type == "parenthesized_expression":
            return self.address(named(node)[0])
        if node.type == "subscript_expression":
            base, index = self.evaluate(need(node, "argument")), self.evaluate(need(node, "index"))
            if isinstance(base, Pointer) and isinstance(index, int):
                return _indexed(base, index)
        if node.type == "pointer_expression" and text_of(node).startswith("*"):
            base = self.evaluate(need(node, "argument"))
            if isinstance(base, Pointer):
                return base
        raise Unsupported(f"address of {node.type}")

    def _subscript(self, node: Node) -> Value:
        base, index = self.evaluate(need(node, "argument")), self.evaluate(need(node, "index"))
        if not isinstance(base, Pointer):
            raise Unsupported("subscript of no array")
        if base.root in self._unit.tables and base.root not in self._outer and base.root not in self.names:
            return self._look_up(base, index)
        if not isinstance(index, int):
            raise Unsupported("index that depends on data")
        place = _indexed(base, index)
        return place if base.dims else self._noted(node, place)

    def _pointer(self, node: Node) -> Value:
        if text_of(node).startswith("&"):
            return self.address(need(node, "argument"))
        place = self.address(node)
        return place if place.dims else self._noted(node, place)

    def _noted(self, node: Node, place: Pointer) -> Value:
        self.loads.setdefault(place.root, (node, place.offset))
        return self.load(place)

    def _look_up(self, base: Pointer, index: Value) -> Value:
        values = table_values(self._unit.source, base.root)
        if isinstance(index, int) and 0 <= index + base.offset < len(values):
            return float(values[index + base.offset])
        if isinstance(index, ByteValue) and index.integer:
            codes = index.values.astype(np.int64) + base.offset
            if codes.min() >= 0 and codes.max() < len(values):
                return index.mapped(values[codes], False)
        raise Unsupported(f"look-up in {base.root}")

    def load(self, place: Pointer) -> Value:
        written = self.memory.get((place.root, place.offset))
        if written is not None:
            return written
        if place.root in self._zeroed:
            return 0.0
        if place.element in ("uint8_t", "unsigned char", "int8_t", "signed char", "char"):
            codes = np.arange(256, dtype=np.float64)
            signed = "u" not in place.element.split("_")[0]
            values = np.where(codes > 127, codes - 256, codes) if signed else codes
            return ByteValue(place.root, place.offset, values, True)
        if place.element in FLOATS:
            return Sum((Product(1.0, (Leaf(FLOATS[place.element], place.root, place.offset),)),))
        if place.element in HALVES:
            return Half(place.root, place.offset)
        raise Unsupported(f"load of {place.element}")

    def _spend(self) -> None:
        self._steps += 1
        if self._steps > STEPS:
            raise Unsupported("too many steps")


def need(node: Node, name: str) -> Node:
    """The part of the node that has this name. Raises: Unsupported when it has none."""
    child = field(node, name)
    if child is None:
        raise Unsupported(f"{node.type} without {name}")
    return child


def parsed(text: str) -> Node:
    node = parse_expression(text)
    if node is None:
        raise Unsupported(f"expression {text!r}")
    return node


def _indexed(base: Pointer, index: int) -> Pointer:
    stride = 1
    for extent in base.dims:
        stride *= extent
    return Pointer(base.root, base.offset + index * stride, base.element, base.dims[1:])
