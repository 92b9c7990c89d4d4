"""Follows pointers through the expressions of C: what each may point into, and what it reads and writes."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace

from tree_sitter import Node

from kernels.levers.syntax import field as child
from kernels.levers.syntax import named, strip_parentheses, text_of
from kernels.profiling.flow_values import NONE, Touched, Value, joined


class Expressions(ABC):
    """env: the variables of one function by name."""

    def __init__(self) -> None:
        self.env: dict[str, Value] = {}
        self._kinds: Mapping[str, Callable[[Node], Value]] = {
            "identifier": lambda node: self.env.get(text_of(node), NONE),
            "field_expression": self._member,
            "subscript_expression": lambda node: self._loaded(self._address(node)),
            "pointer_expression": self._pointer,
            "cast_expression": lambda node: self._of(node, "value"),
            "assignment_expression": self._assigned,
            "update_expression": self._updated,
            "call_expression": self.called,
            "initializer_list": lambda node: self.struct(None, node),
        }

    @property
    @abstractmethod
    def touched(self) -> Touched:
        """Where reads and writes are noted now."""

    @abstractmethod
    def called(self, node: Node) -> Value:
        """Follow a call."""

    @abstractmethod
    def struct(self, kind: Node | None, listed: Node) -> Value:
        """The value of an initialiser."""

    def value(self, node: Node) -> Value:
        """What an expression may point into; notes what it reads and writes."""
        node = strip_parentheses(node)
        known = self._kinds.get(node.type)
        return known(node) if known is not None else Value(joined([self.value(part) for part in named(node)]))

    def _of(self, node: Node, name: str) -> Value:
        inner = child(node, name)
        return self.value(inner) if inner is not None else NONE

    def _loaded(self, where: Value) -> Value:
        """What lies there: a pointer if it is an array of pointers, else data, which was read."""
        if where.holds:
            return replace(where, holds=False)
        self.touched.reads |= where.arguments
        return NONE

    def _member(self, node: Node) -> Value:
        held, name = self._of(node, "argument"), child(node, "field")
        if held.members is None or name is None:
            return held
        return held.members.get(text_of(name), NONE)

    def _address(self, node: Node) -> Value:
        """Where an element lies; what its index reads is noted."""
        self._of(node, "index")
        base = child(node, "argument")
        base = strip_parentheses(base) if base is not None else None
        if base is None:
            return NONE
        return replace(self._address(base), holds=False) if base.type == "subscript_expression" else self.value(base)

    def _pointer(self, node: Node) -> Value:
        inner = child(node, "argument")
        inner = strip_parentheses(inner) if inner is not None else None
        if inner is None:
            return NONE
        if text_of(node).startswith("&"):
            return self._address(inner) if inner.type == "subscript_expression" else self.value(inner)
        return self._loaded(self.value(inner))

    def _assigned(self, node: Node) -> Value:
        value, left, operator = self._of(node, "right"), child(node, "left"), child(node, "operator")
        if left is not None:
            self._store(strip_parentheses(left), value, reads=operator is not None and text_of(operator) != "=")
        return value

    def _updated(self, node: Node) -> Value:
        target = child(node, "argument")
        if target is not None:
            self._store(strip_parentheses(target), NONE, reads=True)
        return self._of(node, "argument") if target is not None and target.type == "identifier" else NONE

    def _store(self, target: Node, value: Value, *, reads: bool) -> None:
        if target.type == "identifier":
            name = text_of(target)
            self.env[name] = self.env.get(name, NONE).also(value)
        elif target.type == "field_expression":
            self._store_member(target, value)
        else:
            self._store_element(target, value, reads=reads)

    def _store_member(self, target: Node, value: Value) -> None:
        """Of a variable; deeper ones are left out."""
        base, name = child(target, "argument"), child(target, "field")
        if base is not None and name is not None and base.type == "identifier":
            held = Value(value.arguments, {text_of(name): value})
            self.env[text_of(base)] = self.env.get(text_of(base), NONE).also(held)

    def _store_element(self, target: Node, value: Value, *, reads: bool) -> None:
        where = self._address(target) if target.type == "subscript_expression" else self._of(target, "argument")
        root = target
        while (inner := child(root, "argument")) is not None:
            root = strip_parentheses(inner)
        name = text_of(root)
        if self.env.get(name, NONE).holds:
            self.env[name] = self.env[name].also(value)
            return
        self.touched.writes |= where.arguments
        if reads:
            self.touched.reads |= where.arguments
