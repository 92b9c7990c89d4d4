"""Values of C expressions in an abstract run."""

from tree_sitter import Node
from typing_extensions import override

from kernels.levers import operators
from kernels.levers.abstract import ByteValue, Half, Leaf, Product, Sum, Unsupported, Value, add
from kernels.levers.literals import number
from kernels.levers.state import State, need
from kernels.levers.syntax import named, text_of


class Evaluator(State):
    """Expressions; calls of the unit's own functions are the interpreter's."""

    @override
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
                return operators.unary(text_of(need(node, "operator")), self.evaluate(need(node, "argument")))
            case "cast_expression":
                return self._cast(node)
            case "assignment_expression":
                return self._assign(node)
            case _:
                return self._rarer(node)

    def _truth(self, node: Node) -> bool:
        value = self.evaluate(node)
        if not isinstance(value, int | float):
            raise Unsupported("a condition that depends on data")
        return bool(value)

    def _rarer(self, node: Node) -> Value:
        match node.type:
            case "update_expression":
                target = need(node, "argument")
                step = 1 if "++" in text_of(node) else -1
                return self._store(target, operators.binary("+", self.evaluate(target), step))
            case "subscript_expression":
                return self._subscript(node)
            case "pointer_expression":
                return self._pointer(node)
            case "call_expression":
                return self._call(node)
            case "conditional_expression":
                chosen = "consequence" if self._truth(need(node, "condition")) else "alternative"
                return self.evaluate(need(node, chosen))
        raise Unsupported(node.type)

    def _binary(self, node: Node) -> Value:
        left, right = self.evaluate(need(node, "left")), self.evaluate(need(node, "right"))
        return operators.binary(text_of(need(node, "operator")), left, right)

    def _cast(self, node: Node) -> Value:
        kind, value = text_of(need(node, "type")).strip(), self.evaluate(need(node, "value"))
        if kind.endswith("*"):
            raise Unsupported("cast of a pointer")
        return operators.cast(kind, value)

    def _assign(self, node: Node) -> Value:
        target, value = need(node, "left"), self.evaluate(need(node, "right"))
        op = text_of(need(node, "operator"))
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

    def _call(self, node: Node) -> Value:
        name = text_of(need(node, "function"))
        arguments = [self.evaluate(a) for a in named(need(node, "arguments"))]
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
        raise Unsupported(f"call of {name} with {len(arguments)} arguments")


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
