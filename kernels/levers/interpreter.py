"""Runs a few iterations of a loop nest on abstract values, so that a nest is known by what it computes.

Integers are concrete (unknown sizes get large multiples of 4096), array elements are leaves with their address, bytes
are functions of their code. Whatever is not understood raises Unsupported: then no pattern matches. Expressions are in
`evaluator.py`, names and memory in `state.py`.
"""

from tree_sitter import Node
from typing_extensions import override

from kernels.levers import operators
from kernels.levers.abstract import ByteValue, Half, Pointer, Sum, Unsupported, Value
from kernels.levers.evaluator import Evaluator
from kernels.levers.scope import Variable, declared_by, parameters
from kernels.levers.state import DEPTH, HALVES
from kernels.levers.syntax import field, named, statements, text_of


class _Returned(Exception):
    def __init__(self, value: Value) -> None:
        super().__init__("return")
        self.value = value


class Interpreter(Evaluator):
    """Statements, and calls of the unit's own functions."""

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
            return operators.cast(variable.element, found) if variable.element not in HALVES else found
        return found

    @override
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
