"""Runs a few iterations of a loop nest on abstract values, so that a nest is known by what it computes.

Integers are concrete (unknown sizes get large multiples of 4096), array elements are leaves with their address, bytes
are functions of their code. Whatever is not understood raises Unsupported: then no pattern matches.
"""

import struct
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tree_sitter import Node

from kernels.levers import operators
from kernels.levers.abstract import ByteValue, Half, Leaf, Pointer, Product, Sum, Unsupported, Value, add
from kernels.levers.scope import Variable, declared_by, parameters
from kernels.levers.syntax import field, named, statements, text_of
from kernels.levers.unit import Unit, unit_of

STEPS: Final = 30_000
DEPTH: Final = 6
_INTEGERS: Final = frozenset(
    {"int", "int32_t", "int64_t", "long", "size_t", "unsigned", "uint32_t", "ptrdiff_t", "short"}
)
_HALVES: Final = frozenset({"kw_bf16"})


class _Returned(Exception):
    def __init__(self, value: Value) -> None:
        super().__init__("return")
        self.value = value


class Interpreter:
    """One run. `names` holds local variables, `memory` elements that were written."""

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

    # statements

    def run(self, node: Node) -> None:
        """Raises: Unsupported."""
        self._spend()
        match node.type:
            case "compound_statement":
                for child in statements(node):
                    self.run(child)
            case "declaration":
                self._declare(node)
            case "expression_statement":
                for child in named(node):
                    self.evaluate(child)
            case "for_statement":
                self.loop(node)
            case "if_statement":
                self._branch(node)
            case "return_statement":
                raise _Returned(self.evaluate(named(node)[0]) if named(node) else 0)
            case _:
                raise Unsupported(node.type)

    def loop(self, node: Node, cap: int | None = None) -> int:
        """Runs a for statement, at most `cap` iterations; returns how many ran. Raises: Unsupported."""
        start, condition = field(node, "initializer"), field(node, "condition")
        update, body = field(node, "update"), field(node, "body")
        if start is None or condition is None or update is None or body is None:
            raise Unsupported("a for statement without all its parts")
        self._declare(start) if start.type == "declaration" else self.evaluate(start)
        done = 0
        while (cap is None or done < cap) and self._truth(condition):
            self._spend()
            self.run(body)
            self.evaluate(update)
            done += 1
        return done

    def _branch(self, node: Node) -> None:
        condition, then, other = field(node, "condition"), field(node, "consequence"), field(node, "alternative")
        if condition is None or then is None:
            raise Unsupported("if")
        if self._truth(condition):
            self.run(then)
        elif other is not None:
            self.run(named(other)[0] if other.type == "else_clause" else other)

    def _truth(self, node: Node) -> bool:
        value = self.evaluate(node)
        if not isinstance(value, int | float):
            raise Unsupported("a condition that depends on data")
        return bool(value)

    def _declare(self, node: Node) -> None:
        variables = {v.name: v for v in declared_by(node)}
        for declarator in node.children_by_field_name("declarator"):
            value = field(declarator, "value") if declarator.type == "init_declarator" else None
            inner = field(declarator, "declarator") if declarator.type == "init_declarator" else declarator
            while inner is not None and inner.type != "identifier":
                inner = field(inner, "declarator")
            variable = variables.get(text_of(inner)) if inner is not None else None
            if variable is None:
                raise Unsupported("declaration")
            self.names[variable.name] = self._initial(variable, value)

    def _initial(self, variable: Variable, value: Node | None) -> Value:
        if variable.dims:
            if value is not None:
                self._zeroed.add(variable.name)
                if any(text_of(v) not in ("0", "0.0f", "0.0", "0.f") for v in named(value)):
                    raise Unsupported("an array with values")
            return Pointer(variable.name, 0, variable.element, self._dims(variable))
        if value is None:
            return 0
        found = self.evaluate(value)
        if variable.is_scalar and not isinstance(found, Half | Sum):
            return operators.cast(variable.element, found) if variable.element not in _HALVES else found
        return found

    # expressions

    def evaluate(self, node: Node) -> Value:
        """Raises: Unsupported."""
        self._spend()
        match node.type:
            case "number_literal":
                return number(text_of(node))
            case "identifier":
                return self._name(text_of(node))
            case "parenthesized_expression":
                return self.evaluate(named(node)[0])
            case "binary_expression":
                return self._binary(node)
            case "unary_expression":
                return operators.unary(text_of(_need(node, "operator")), self.evaluate(_need(node, "argument")))
            case "cast_expression":
                return self._cast(node)
            case "assignment_expression":
                return self._assign(node)
            case _:
                return self._rarer(node)

    def _rarer(self, node: Node) -> Value:
        match node.type:
            case "update_expression":
                target = _need(node, "argument")
                step = 1 if "++" in text_of(node) else -1
                return self._store(target, operators.binary("+", self.evaluate(target), step))
            case "subscript_expression":
                return self._subscript(node)
            case "pointer_expression":
                return self._pointer(node)
            case "call_expression":
                return self._call(node)
            case "conditional_expression":
                chosen = "consequence" if self._truth(_need(node, "condition")) else "alternative"
                return self.evaluate(_need(node, chosen))
        raise Unsupported(node.type)

    def _binary(self, node: Node) -> Value:
        left, right = self.evaluate(_need(node, "left")), self.evaluate(_need(node, "right"))
        return operators.binary(text_of(_need(node, "operator")), left, right)

    def _cast(self, node: Node) -> Value:
        kind, value = text_of(_need(node, "type")).strip(), self.evaluate(_need(node, "value"))
        if kind.endswith("*"):
            raise Unsupported("cast of a pointer")
        return operators.cast(kind, value)

    def _assign(self, node: Node) -> Value:
        target, value = _need(node, "left"), self.evaluate(_need(node, "right"))
        op = text_of(_need(node, "operator"))
        if op != "=":
            value = operators.binary(op[:-1], self.evaluate(target), value)
        return self._store(target, value)

    def _store(self, target: Node, value: Value) -> Value:
        if target.type == "parenthesized_expression":
            return self._store(named(target)[0], value)
        if target.type == "identifier":
            name = text_of(target)
            self.names[name] = value
            return value
        place = self.address(target)
        self.memory[place.root, place.offset] = value
        return value

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
        return Interpreter(self._unit, {}, self._depth + 1).evaluate(node)

    def _outer_value(self, variable: Variable) -> Value:
        if not variable.is_scalar:
            if variable.pointers > 1 or (variable.pointers and variable.dims):
                raise Unsupported("pointer to pointer")
            return Pointer(variable.name, 0, variable.element, self._dims(variable))
        if variable.element in _INTEGERS:
            return self._unknown.setdefault(variable.name, 4096 * (3 + len(self._unknown)))
        if variable.element == "float":
            return Sum((Product(1.0, (Leaf("scalar", variable.name, -1),)),))
        if variable.element in _HALVES:
            return Half(variable.name, -1)
        raise Unsupported(f"type {variable.base}")

    def _dims(self, variable: Variable) -> tuple[int, ...]:
        extents = []
        for text in variable.dims[1:]:
            value = self._at_file_scope(_parsed(text))
            if not isinstance(value, int):
                raise Unsupported("array extent")
            extents.append(value)
        return tuple(extents)

    # memory

    def address(self, node: Node) -> Pointer:
        """Of an element: a[i], a[i][j], *(a + i)."""
        if node.type == "parenthesized_expression":
            return self.address(named(node)[0])
        if node.type == "subscript_expression":
            base, index = self.evaluate(_need(node, "argument")), self.evaluate(_need(node, "index"))
            if isinstance(base, Pointer) and isinstance(index, int):
                return _indexed(base, index)
        if node.type == "pointer_expression" and text_of(node).startswith("*"):
            base = self.evaluate(_need(node, "argument"))
            if isinstance(base, Pointer):
                return base
        raise Unsupported(f"address of {node.type}")

    def _subscript(self, node: Node) -> Value:
        base, index = self.evaluate(_need(node, "argument")), self.evaluate(_need(node, "index"))
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
            return self.address(_need(node, "argument"))
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
        if place.element == "float":
            return Sum((Product(1.0, (Leaf("f32", place.root, place.offset),)),))
        if place.element in _HALVES:
            return Half(place.root, place.offset)
        raise Unsupported(f"load of {place.element}")

    # calls

    def _call(self, node: Node) -> Value:
        name = text_of(_need(node, "function"))
        arguments = [self.evaluate(a) for a in named(_need(node, "arguments"))]
        if name == "kw_bf16_to_f32" and len(arguments) == 1 and isinstance(arguments[0], Half):
            half = arguments[0]
            kind = "scalar" if half.address < 0 else "bf16"
            return Sum((Product(1.0, (Leaf(kind, half.root, half.address),)),))
        if name in ("fmaf", "fma") and len(arguments) == 3:
            return add(operators.binary("*", arguments[0], arguments[1]), arguments[2])
        if name in ("ldexpf", "ldexp", "scalbnf") and len(arguments) == 2:
            return _scaled(arguments[0], arguments[1])
        return self._own(name, arguments)

    def _own(self, name: str, arguments: list[Value]) -> Value:
        function = self._unit.functions.get(name)
        if function is None or self._depth >= DEPTH:
            raise Unsupported(f"call of {name}")
        formals, body = list(parameters(function)), field(function, "body")
        if body is None or len(formals) != len(arguments):
            raise Unsupported(f"call of {name}")
        inner = Interpreter(self._unit, {}, self._depth + 1)
        inner.memory, inner._steps = self.memory, self._steps
        for formal, argument in zip(formals, arguments, strict=True):
            plain = formal.is_scalar and isinstance(argument, int | float | ByteValue)
            inner.names[formal.name] = operators.cast(formal.element, argument) if plain else argument
        try:
            inner.run(body)
        except _Returned as returned:
            return returned.value
        finally:
            self._steps = inner._steps
        return 0

    def _spend(self) -> None:
        self._steps += 1
        if self._steps > STEPS:
            raise Unsupported("too many steps")


def _need(node: Node, name: str) -> Node:
    child = field(node, name)
    if child is None:
        raise Unsupported(f"{node.type} without {name}")
    return child


def _parsed(text: str) -> Node:
    from kernels.levers.syntax import parse_expression

    node = parse_expression(text)
    if node is None:
        raise Unsupported(f"expression {text!r}")
    return node


def _indexed(base: Pointer, index: int) -> Pointer:
    stride = 1
    for extent in base.dims:
        stride *= extent
    return Pointer(base.root, base.offset + index * stride, base.element, base.dims[1:])


def _scaled(value: Value, exponent: Value) -> Value:
    if isinstance(value, int | float) and isinstance(exponent, int):
        return value * 2.0**exponent
    if isinstance(value, ByteValue) and isinstance(exponent, int):
        return value.mapped(value.values * 2.0**exponent, False)
    if isinstance(value, int | float) and isinstance(exponent, ByteValue):
        return exponent.mapped(value * 2.0**exponent.values, False)
    both = isinstance(value, ByteValue) and isinstance(exponent, ByteValue)
    if both and (value.root, value.address) == (exponent.root, exponent.address):
        return value.mapped(value.values * 2.0**exponent.values, False)
    raise Unsupported("ldexp")


def number(text: str) -> int | float:
    """A C literal; f32 literals are rounded to f32. Raises: Unsupported."""
    plain = text.replace("'", "").lower()
    hexadecimal = plain.startswith("0x")
    try:
        if ("p" in plain) if hexadecimal else any(c in plain for c in ".e"):
            body = plain.rstrip("l") if hexadecimal and "p" not in plain else plain.rstrip("fl")
            value = float.fromhex(body) if hexadecimal else float(body)
            return struct.unpack("f", struct.pack("f", value))[0] if plain[-1] == "f" else value
        digits = plain.rstrip("ul")
        return int(digits, 8) if len(digits) > 1 and digits.isdigit() and digits[0] == "0" else int(digits, 0)
    except (ValueError, OverflowError) as error:
        raise Unsupported(f"literal {text}") from error


@lru_cache(maxsize=256)
def table_values(source: str, name: str) -> NDArray[np.float64]:
    """The values of a literal table. Raises: Unsupported when an element is not a constant."""
    unit, found = unit_of(source), []
    for literal in unit.tables[name].literals:
        value = Interpreter(unit, {}).evaluate(literal)
        if not isinstance(value, int | float):
            raise Unsupported(f"table {name}")
        found.append(float(value))
    return np.array(found, dtype=np.float64)
