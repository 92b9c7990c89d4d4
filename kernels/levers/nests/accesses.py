"""What expressions read and store, noted in a record."""

from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.effects import SILENT, computes_only, hidden, macros
from kernels.levers.nests.events import Record
from kernels.levers.nests.integers import kept
from kernels.levers.nests.macros import expanded
from kernels.levers.nests.numbers import is_whole
from kernels.levers.nests.places import Path, Place, Places
from kernels.levers.nests.updates import Update, update_of
from kernels.levers.syntax import field, named, root_name, strip_parentheses, text_of
from kernels.levers.unit import Unit

DEPTH: Final = 12


class Accesses:
    """scope: where things stand. written: scalars that the nest assigns; stored: arrays that it stores to."""

    def __init__(self, unit: Unit, scope: Places, written: set[str], stored: set[str], follow: dict[str, str]) -> None:
        self.record = Record()
        self._unit, self._scope = unit, scope
        self._written, self._stored, self._follow = written, stored, follow
        self._depth = 0

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
        if self._truncates(update):
            self.reads(update.target, path)
            self._store(update.target, "write", path)
        else:
            self._store(update.target, update.operator, path)
        target = strip_parentheses(update.target)
        if target.type == "identifier":
            self._scope.values.pop(text_of(target), None)

    def _truncates(self, update: Update) -> bool:
        """Whether a whole number is updated with one that may not be whole: every step loses the rest, in its order."""
        known = self._scope.arrays
        if update.operator not in ("+", "*") or is_whole(self._unit, known, update.target) is False:
            return False
        return not all(is_whole(self._unit, known, term) is True for _, term in update.terms)

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
            case "identifier" if hidden(self._unit, node):
                self._written_out(self._unit.macros.get(text_of(node)), text_of(node), path)
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
            self.record.note(place, kind, path, self._at(node))

    def assign_integer(self, name: str, value: Node) -> None:
        """Keeps the value of an integer when it is known."""
        try:
            variable = self._scope.arrays.get(name)
            found = self._scope.integers.evaluate(value, self._scope.values)
            self._scope.values[name] = kept(variable.element if variable is not None else "", found)
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
            self._plain(target)
            self.name(target, kind, path)
            return
        self._indices(target, path)
        self.record.note(self._scope.element(target), kind, path, self._at(target))

    def _plain(self, target: Node) -> None:
        """Raises: Unsupported for a pointer, whose elements would be others from there on, and for a macro."""
        variable = self._scope.arrays.get(text_of(target))
        if text_of(target) in macros(self._unit) or (variable is not None and variable.is_array):
            raise Unsupported(f"{text_of(target)} is set to something else")

    def _at(self, node: Node) -> int:
        """Where it stands; nowhere in the source when a macro was written out."""
        return -1 if self._depth else node.start_byte

    def _indices(self, node: Node, path: Path) -> None:
        while node.type == "subscript_expression":
            index, argument = field(node, "index"), field(node, "argument")
            if index is None or argument is None:
                raise Unsupported("subscript")
            self.reads(index, path)
            node = strip_parentheses(argument)

    def _element(self, node: Node, path: Path) -> None:
        self._indices(node, path)
        self._read(node, path)

    def _read(self, node: Node, path: Path) -> None:
        if self._root(node) in self._stored:
            if self._depth:
                raise Unsupported("a macro that reads what the nest stores")
            self.record.note(self._scope.element(node), "read", path, self._at(node))

    def _pointed(self, node: Node, path: Path) -> None:
        if text_of(node).startswith("&"):
            raise Unsupported("an address inside of an expression")
        self._read(node, path)

    def _root(self, node: Node) -> str:
        name = root_name(node)
        if not name:
            raise Unsupported("no named array")
        return self._scope.pointers[name].root if name in self._scope.pointers else self._follow.get(name, name)

    def _call(self, node: Node, path: Path) -> None:
        """Macros are written out: what stands behind them may read arrays, or store."""
        function, listed = field(node, "function"), field(node, "arguments")
        name = text_of(function) if function is not None else ""
        if name.startswith(SILENT):
            return
        if name in macros(self._unit):
            self._written_out(expanded(self._unit, node), name, path)
            return
        if not computes_only(self._unit, name):
            raise Unsupported(f"call of {name}")
        for argument in named(listed) if listed is not None else []:
            self.reads(argument, path)

    def _written_out(self, node: Node | None, name: str, path: Path) -> None:
        """What a macro reads, as if it stood there. Raises: Unsupported when it stores."""
        if node is None or self._depth > DEPTH:
            raise Unsupported(f"the macro {name}")
        self._depth += 1
        self.reads(node, path)
        self._depth -= 1
