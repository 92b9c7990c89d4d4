"""Runs the statements of a nest for a trace."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.loops import CountedLoop, written_names
from kernels.levers.nests.accesses import Accesses
from kernels.levers.nests.distances import distances
from kernels.levers.nests.events import Event
from kernels.levers.nests.headers import Header, header_of, variable_of
from kernels.levers.nests.integers import INTEGERS, integers_of
from kernels.levers.nests.places import Path, Place
from kernels.levers.nests.scopes import declarations, is_pointer, loops_above, places_at
from kernels.levers.nests.uniform import elements, unlike
from kernels.levers.nests.updates import update_of
from kernels.levers.nests.worlds import World
from kernels.levers.origins import is_array_at, may_overlap
from kernels.levers.scope import declared_by, declared_inside
from kernels.levers.syntax import field, named, root_name, statements, strip_parentheses, text_of, walk
from kernels.levers.unit import Unit

SAMPLES: Final = {1: (4, 3), 2: (4, 3), 3: (3, 1), 4: (3, 1)}  # by depth of the nest: first and last iterations
FEW: Final = (2, 1)


class Runner:
    """One run over neighbouring statements of one block."""

    def __init__(self, unit: Unit, nodes: Sequence[Node], world: World, *, far: bool = True) -> None:
        """far: also the iterations that are a constant of the subscripts away from the ends.

        Raises: Unsupported when arrays of the nest may overlap.
        """
        self._unit, self._nodes = unit, list(nodes)
        self._integers = integers_of(unit.source)
        self._scope = places_at(unit, nodes[0], world.around)
        self._scope.values |= world.guesses
        deep = max(_depth(n) for n in nodes)
        self._samples = SAMPLES.get(deep, FEW)
        self._written = {name for n in nodes for name in changed_names(n)}
        follow = dict(_followed(nodes))
        stored = self._stored(follow)
        self._check_overlap(follow, stored)
        self.unlike = self._unlike(follow, stored)
        self._turns, self._inside = world.turns, list[int]()
        found = ((e, root_name(e)) for n in nodes for e in elements(n))
        meeting = [e for e, name in found if self._root(follow.get(name, name)) in stored]
        self._distances = distances(meeting, self._integers, deep, self._still()) if far else ()
        self._accesses = Accesses(unit, self._scope, self._written, stored, follow)

    def run(self) -> list[Event]:
        """Raises: Unsupported."""
        for number, node in enumerate(self._nodes):
            self._statement(node, (number,))
        return self._accesses.record.events

    def _still(self) -> dict[str, int]:
        """Integers that the nest does not change; not the variables of loops, around it or in it."""
        moving = {variable_of(n) for node in self._nodes for n in walk(node) if n.type == "for_statement"}
        moving |= self._written | set(self._scope.around) | {n for node in self._nodes for n in declared_inside(node)}
        return {name: value for name, value in self._scope.values.items() if name not in moving}

    def _unlike(self, follow: Mapping[str, str], stored: set[str]) -> dict[str, str]:
        """Names of arrays whose accesses move in several ways, and of pointers into them, with the arrays."""
        around = loops_above(self._nodes[0])[:1]
        moving = {variable_of(n) for node in (*around, *self._nodes) for n in walk(node) if n.type == "for_statement"}
        moving |= self._written | {n for node in (*around, *self._nodes) for n in declared_inside(node)}
        found = unlike(self._nodes, lambda name: self._root(follow.get(name, name)), stored, moving)
        names = {root_name(e) for node in self._nodes for e in elements(node)} - {""}
        return {n: self._root(follow.get(n, n)) for n in names if self._root(follow.get(n, n)) in found}

    def _root(self, name: str) -> str:
        return self._scope.pointers[name].root if name in self._scope.pointers else name

    def _check_overlap(self, follow: Mapping[str, str], stored: set[str]) -> None:
        """Raises: Unsupported."""
        places: dict[str, Node] = {}
        for node in (inner for n in self._nodes for inner in walk(n)):
            name = text_of(node) if node.type == "identifier" else ""
            if name and is_array_at(self._unit, node, name):
                places.setdefault(self._root(follow.get(name, name)), node)
        met = may_overlap(self._unit, places, stored)
        if met is not None:
            raise Unsupported(f"{met[0]} and {met[1]} may overlap")

    def _stored(self, follow: dict[str, str]) -> set[str]:
        """Arrays that the nest stores to."""
        roots: set[str] = set()
        for node in (inner for n in self._nodes for inner in walk(n)):
            target = field(node, "left") if node.type == "assignment_expression" else None
            target = field(node, "argument") if node.type == "update_expression" else target
            if target is not None and strip_parentheses(target).type != "identifier":
                name = root_name(target)
                name = follow.get(name, name)
                roots.add(self._scope.pointers[name].root if name in self._scope.pointers else name)
        if "" in roots:
            raise Unsupported("a store to no named array")
        return roots

    def _statement(self, node: Node, path: Path) -> None:
        match node.type:
            case "for_statement":
                self._loop(node, path)
            case "compound_statement":
                for number, child in enumerate(statements(node)):
                    self._statement(child, (*path, 0, number))
            case "declaration":
                self._declare(node, path)
            case "expression_statement":
                for child in named(node):
                    self._accesses.expression(child, path)
            case "if_statement":
                self._branch(node, path)
            case "type_definition" | "preproc_call" | ";":
                return
            case _:
                raise Unsupported(node.type)

    def _loop(self, node: Node, path: Path) -> None:
        body, variable = field(node, "body"), variable_of(node)
        if body is None or variable in self._written:
            raise Unsupported("a loop whose variable is changed in its body")
        header = header_of(node, self._integers, self._scope.values)
        for value in self._values(node, header):
            self._scope.values[variable] = value
            self._inside.append(value)
            turn = value if header.step > 0 else -value
            for place, child in enumerate(statements(body)):
                self._statement(child, (*path, turn, place))
            self._inside.pop()
        self._scope.values[variable] = header.value(header.trip)

    def _values(self, node: Node, header: Header) -> list[int]:
        """Of the loop's variable in the turns that are run."""
        if self._turns is not None:
            return sorted(self._turns.get((node.start_byte, tuple(self._inside)), ()), reverse=header.step < 0)
        near = {*self._scope.around.values(), *self._far(header)}
        return [header.value(number) for number in header.sampled(*self._samples, near=near)]

    def _far(self, header: Header) -> Iterator[int]:
        """Values that are a constant of the subscripts, or that far away from an end of the loop."""
        last = header.value(header.trip - 1)
        for far in self._distances:
            yield from (far, header.first + far, header.first - far, last - far, last + far)

    def _branch(self, node: Node, path: Path) -> None:
        update = update_of(self._unit, node)
        if update is not None:
            self._accesses.update(update, path)
            return
        condition, then, other = field(node, "condition"), field(node, "consequence"), field(node, "alternative")
        if condition is None or then is None:
            raise Unsupported("if")
        other = named(other)[0] if other is not None and other.type == "else_clause" else other
        self._accesses.reads(condition, path)
        taken = self._truth(condition)
        if taken is not False:
            self._statement(then, (*path, 0, 0))
        if taken is not True and other is not None:
            self._statement(other, (*path, 0, 1))

    def _truth(self, condition: Node) -> bool | None:
        """None when it depends on data."""
        try:
            return bool(self._integers.evaluate(strip_parentheses(condition), self._scope.values))
        except Unsupported:
            return None

    def _declare(self, node: Node, path: Path) -> None:
        for variable, value in declarations(node):
            scope, name = self._scope, variable.name
            scope.arrays[name], scope.instances[name] = variable, path
            if is_pointer(variable):
                scope.declared(variable, value if name not in self._written else None)
            elif variable.is_scalar and value is not None:
                self._accesses.reads(value, path)
                self._accesses.record.note(Place(name, path, 0, variable.element), "write", path, value.start_byte)
                if variable.element in INTEGERS:
                    self._accesses.assign_integer(name, value)


def _depth(node: Node) -> int:
    """Loops inside of loops, the node included."""
    below = max((_depth(child) for child in node.children), default=0)
    return below + (node.type == "for_statement")


def changed_names(node: Node) -> set[str]:
    """Plain variables that the statements below change; those that for statements step are left out."""
    found: set[str] = set()
    stack = [node]
    while stack:
        current = stack.pop()
        found.update(written_names(current))
        parts = [field(current, "body")] if current.type == "for_statement" else list(current.children)
        stack.extend(p for p in parts if p is not None)
    return found


def moving_names(loop: CountedLoop) -> set[str]:
    """Variables that may have another value in another turn of the loop, or at another place in its body."""
    stepped = {variable_of(n) for n in walk(loop.node) if n.type == "for_statement"}
    return declared_inside(loop.body) | changed_names(loop.body) | stepped


def _followed(nodes: Sequence[Node]) -> Iterator[tuple[str, str]]:
    """Local pointers of the nest by name, with the arrays that they point into."""
    known: dict[str, str] = {}
    for node in (inner for n in nodes for inner in walk(n)):
        if node.type == "init_declarator" and node.parent is not None and node.parent.type == "declaration":
            value, inner = field(node, "value"), field(node, "declarator")
            held = [v for v in declared_by(node.parent) if v.pointers or v.dims[:1] == ("",)]
            name = next((v.name for v in held if inner is not None and root_name_of(inner) == v.name), "")
            if name and value is not None and root_name(value) not in ("", name):
                known[name] = known.get(root_name(value), root_name(value))
                yield name, known[name]


def root_name_of(declarator: Node) -> str:
    """The name that a declarator declares."""
    return next((text_of(n) for n in walk(declarator) if n.type == "identifier"), "")
