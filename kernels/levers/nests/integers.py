"""Integer expressions of C as Python functions, so that subscripts and bounds can be computed for many iterations."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.literals import number
from kernels.levers.nests.macros import expanded
from kernels.levers.syntax import field, named, parse_expression, text_of, walk
from kernels.levers.unit import Unit, unit_of

Values = Mapping[str, int]
Compiled = Callable[[Values], int]
DEPTH: Final = 12
THREADS: Final = 6  # what `kw_threads()` stands for
INTEGERS: Final = frozenset(
    {
        "int", "int32_t", "int64_t", "long", "size_t", "unsigned", "uint32_t", "uint64_t", "ptrdiff_t", "short",
        "unsigned int", "long long", "unsigned long", "long int", "long long int", "int16_t", "uint16_t",
    }
)  # fmt: skip
BITS: Final = {
    "int": -32, "int32_t": -32, "short": -16, "int16_t": -16, "int8_t": -8, "signed char": -8, "char": -8,
    "unsigned": 32, "unsigned int": 32, "uint32_t": 32, "uint16_t": 16, "uint8_t": 8, "unsigned char": 8,
    "size_t": 64, "uint64_t": 64, "unsigned long": 64,
}  # fmt: skip
"""Of a type; below zero for one with a sign."""
_WRAPPING: Final = frozenset({"+", "-", "*", "<<"})
_SAME: Final = frozenset({"+", "-", "*", "<<", ">>", "&", "|", "^", "<", ">", "<=", ">=", "==", "!="})


class Integers:
    """The integer expressions of one unit; macros are written out."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._known: dict[str, Compiled | None] = {}

    def evaluate(self, node: Node, values: Values) -> int:
        """A column of numbers where there are columns among the values.

        Raises: Unsupported for what is no integer expression of known values.
        """
        function = self._compiled(node)
        try:
            return function(values)
        except (KeyError, ZeroDivisionError, ValueError) as error:
            raise Unsupported(f"value of {text_of(node)[:60]}: {error}") from error

    def text(self, text: str, values: Values) -> int:
        """The value of an expression given as text. Raises: Unsupported."""
        node = parse_expression(text)
        if node is None:
            raise Unsupported(f"expression {text[:60]!r}")
        return self.evaluate(node, values)

    def _compiled(self, node: Node) -> Compiled:
        text = text_of(node)
        if text not in self._known:
            try:
                code = self._code(node, 0)
                self._known[text] = eval(f"lambda v: ({code}) * 1", {"_divide": divide, "_rest": rest, "_kept": kept})
            except Unsupported:
                self._known[text] = None
        found = self._known[text]
        if found is None:
            raise Unsupported(f"no integer expression: {text[:60]}")
        return found

    def _code(self, node: Node, depth: int) -> str:
        """Python text; made of integers, operators and v["name"] only."""
        if depth > DEPTH:
            raise Unsupported("macros too deep")
        match node.type:
            case "number_literal":
                value = number(text_of(node))
                if not isinstance(value, int):
                    raise Unsupported("a number with a point")
                return f"({value})"
            case "identifier":
                return self._name(text_of(node), depth)
            case "parenthesized_expression" if len(named(node)) == 1:
                return self._code(named(node)[0], depth)
            case "binary_expression":
                return self._binary(node, depth)
            case "cast_expression":
                return self._cast(node, depth)
            case _:
                return self._rarer(node, depth)

    def _name(self, name: str, depth: int) -> str:
        macro = self._unit.macros.get(name)
        return self._code(macro, depth + 1) if macro is not None else f"v[{name!r}]"

    def _binary(self, node: Node, depth: int) -> str:
        left, right = self._part(node, "left", depth), self._part(node, "right", depth)
        operator = text_of(field(node, "operator") or node)
        if operator in _WRAPPING and (kind := self._unsigned(node)):
            return f"_kept({kind!r}, {left} {operator} {right})"
        if operator in _SAME:
            return f"({left} {operator} {right})"
        words = {"/": f"_divide({left}, {right})", "%": f"_rest({left}, {right})"}
        words |= {"&&": f"(bool({left}) and bool({right}))", "||": f"(bool({left}) or bool({right}))"}
        if operator not in words:
            raise Unsupported(f"operator {operator}")
        return words[operator]

    def _rarer(self, node: Node, depth: int) -> str:
        match node.type:
            case "unary_expression":
                operator = text_of(field(node, "operator") or node)
                part = self._part(node, "argument", depth)
                return f"(not {part})" if operator == "!" else f"({operator}{part})"
            case "conditional_expression":
                parts = [self._part(node, name, depth) for name in ("consequence", "condition", "alternative")]
                return f"({parts[0]} if {parts[1]} else {parts[2]})"
            case "call_expression" if text_of(node) == "kw_threads()":
                return str(THREADS)
            case "call_expression":
                written_out = expanded(self._unit, node)
                if written_out is not None:
                    return self._code(written_out, depth + 1)
        raise Unsupported(node.type)

    def _unsigned(self, node: Node) -> str:
        """The widest unsigned type below the node, whose sums and products begin anew at their end; "" for none."""
        kinds = {kind for n in walk(node) if BITS.get(kind := _kind(self._unit, n), 0) >= 32}
        return max(kinds, key=lambda kind: BITS[kind], default="")

    def _cast(self, node: Node, depth: int) -> str:
        kind = text_of(field(node, "type") or node).strip()
        if kind not in INTEGERS | BITS.keys():
            raise Unsupported("cast")
        return f"_kept({kind!r}, {self._part(node, 'value', depth)})"

    def _part(self, node: Node, name: str, depth: int) -> str:
        child = field(node, name)
        if child is None:
            raise Unsupported(f"{node.type} without {name}")
        return self._code(child, depth)


def kept(kind: str, value: int) -> int:
    """The value, where the type holds it. Raises: Unsupported where it does not, and other turns may meet it."""
    bits = BITS.get(kind, -64)
    low, high = (0, 1 << bits) if bits > 0 else (-(1 << -bits - 1), 1 << -bits - 1)
    fits: Any = (low <= value) & (value < high)
    if not (fits if isinstance(fits, bool) else fits.all()):
        raise Unsupported(f"{value} as {kind}")
    return value


def _kind(unit: Unit, node: Node) -> str:
    """The type that a name of the unit has wherever it is declared unsigned, that of a cast or of a literal."""
    match node.type:
        case "number_literal":
            text = text_of(node).lower()
            return "" if "u" not in text else "size_t" if "l" in text else "unsigned"
        case "cast_expression":
            return text_of(field(node, "type") or node).strip()
        case "identifier":
            return _unsigned_names(unit.source).get(text_of(node), "")
    return ""


@lru_cache(maxsize=64)
def _unsigned_names(source: str) -> dict[str, str]:
    """Variables and parameters that are unsigned somewhere in the unit."""
    found: dict[str, str] = {}
    for node in walk(unit_of(source).root):
        kind = field(node, "type")
        declares = node.type in ("declaration", "parameter_declaration")
        if declares and kind is not None and BITS.get(text_of(kind), 0) >= 32:
            names = (n for d in node.children_by_field_name("declarator") for n in walk(d) if n.type == "identifier")
            found |= {text_of(n): text_of(kind) for n in names}
    return found


def divide(a: int, b: int) -> int:
    """Towards zero, as in C."""
    if not isinstance(b, int) and not b.all():
        raise ZeroDivisionError
    quotient = abs(a) // abs(b)
    return quotient - 2 * quotient * ((a < 0) != (b < 0))


def rest(a: int, b: int) -> int:
    """What `divide` leaves."""
    return a - divide(a, b) * b


@lru_cache(maxsize=64)
def integers_of(source: str) -> Integers:
    return Integers(unit_of(source))
