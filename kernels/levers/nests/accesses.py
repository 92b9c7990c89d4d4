"""What expressions read and store, noted in a record."""

from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.events import Record
from kernels.levers.nests.macros import formulas
from kernels.levers.nests.places import Path, Place, Places, root_name
from kernels.levers.nests.updates import Update, update_of
from kernels.levers.syntax import field, named, strip_parentheses, text_of, walk
from kernels.levers.unit import Unit

PURE: Final = frozenset(
    """sqrt sqrtf fabs fabsf exp expf log logf sin sinf cos cosf tanh tanhf pow powf fmax fmaxf fmin fminf fma fmaf abs
    floor floorf ceil ceilf ldexp ldexpf kw_bf16_to_f32 kw_f32_to_bf16 kw_threads""".split()
)
SILENT: Final = ("__builtin_prefetch", "KW_SPAN")


class Accesses:
    """scope: where things stand. written: scalars that the nest assigns; stored: arrays that it stores to."""

    def __init__(self, unit: Unit, scope: Places, written: set[str], stored: set[str], follow: dict[str, str]) -> None:
        self.record = Record()
        self._unit, self._scope = unit, scope
        self._written, self._stored, self._follow = written, stored, follow

    def expression(self, node: Node, path: Path) -> None:
        """An expression statement's. Raises: Unsupported."""
        node = strip_parentheses(node)
        if node.type == "comma_expression":
            for child in named(node):
                self.expression(child, path)
            return
        update = update_of(self._unit, node)
        if update is not None:
            self.update(update, path)
        elif node.type == "assignment_expression":
            self._assignment(node, path)
        else:
            self.reads(node, path)

    def update(self, update: Update, path: Path) -> None:
        """Raises: Unsupported."""
        for _, term in update.terms:
            self.reads(term, path)
        self._store(update.target, update.operator, path)
        target = strip_parentheses(update.target)
        if target.type == "identifier":
            self._scope.values.pop(text_of(target), None)

    def reads(self, node: Node, path: Path) -> None:
        """Reads below the node. Raises: Unsupported for assignments inside of expressions."""
        node = strip_parentheses(node)
        match node.type:
            case "assignment_expression" | "update_expression":
                raise Unsupported("an assignment inside of an expression")
            case "subscript_expression":
                self._element(node, path)
            case "pointer_expression":
                self._pointed(node, path)
            case "call_expression":
                self._call(node, path)
            case "identifier":
                self.name(node, "read", path)
            case "type_descriptor" | "field_identifier":
                return
            case _:
                for child in named(node):
                    self.reads(child, path)

    def name(self, node: Node, kind: str, path: Path) -> None:
        """A scalar; one that the nest never assigns leaves no event."""
        name = text_of(node)
        variable = self._scope.arrays.get(name)
        if name in self._written and (variable is None or variable.is_scalar):
            place = Place(name, self._scope.instances.get(name, ()), 0, "")
            self.record.note(place, kind, path, node.start_byte)

    def assign_integer(self, name: str, value: Node) -> None:
        """Keeps the value of an integer when it is known."""
        try:
            self._scope.values[name] = self._scope.integers.evaluate(value, self._scope.values)
        except Unsupported:
            self._scope.values.pop(name, None)

    def _assignment(self, node: Node, path: Path) -> None:
        target, value, operator = (field(node, x) for x in ("left", "right", "operator"))
        if target is None or value is None or operator is None:
            raise Unsupported("assignment")
        self.reads(value, path)
        if text_of(operator) != "=":
            self.reads(target, path)
        self._store(target, "write", path)
        if strip_parentheses(target).type == "identifier":
            plain = text_of(operator) == "="
            self.assign_integer(text_of(strip_parentheses(target)), value if plain else target)

    def _store(self, target: Node, kind: str, path: Path) -> None:
        target = strip_parentheses(target)
        if target.type == "identifier":
            self.name(target, kind, path)
            return
        self._indices(target, path)
        self.record.note(self._scope.element(target), kind, path, target.start_byte)

    def _indices(self, node: Node, path: Path) -> None:
        while node.type == "subscript_expression":
            index, argument = field(node, "index"), field(node, "argument")
            if index is None or argument is None:
                raise Unsupported("subscript")
            self.reads(index, path)
            node = strip_parentheses(argument)

    def _element(self, node: Node, path: Path) -> None:
        self._indices(node, path)
        if self._root(node) in self._stored:
            self.record.note(self._scope.element(node), "read", path, node.start_byte)

    def _pointed(self, node: Node, path: Path) -> None:
        if text_of(node).startswith("&"):
            raise Unsupported("an address inside of an expression")
        if self._root(node) in self._stored:
            self.record.note(self._scope.element(node), "read", path, node.start_byte)

    def _root(self, node: Node) -> str:
        name = root_name(node)
        if not name:
            raise Unsupported("no named array")
        return self._scope.pointers[name].root if name in self._scope.pointers else self._follow.get(name, name)

    def _call(self, node: Node, path: Path) -> None:
        function, listed = field(node, "function"), field(node, "arguments")
        name = text_of(function) if function is not None else ""
        if name.startswith(SILENT):
            return
        if name not in PURE and not self._harmless(name):
            raise Unsupported(f"call of {name}")
        for argument in named(listed) if listed is not None else []:
            self.reads(argument, path)

    def _harmless(self, name: str) -> bool:
        """A macro, or a function of scalars that touches no array."""
        if name in formulas(self._unit.source):
            return True
        function = self._unit.functions.get(name)
        pointing = ("pointer_declarator", "pointer_expression", "array_declarator")
        return function is not None and not any(n.type in pointing for n in walk(function))
