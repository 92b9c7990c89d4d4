"""Which loops move an expression: array accesses with their strides, scalars by what they were made from."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.places import Places
from kernels.levers.nests.scopes import places_at
from kernels.levers.nests.strides import elements
from kernels.levers.syntax import field as child
from kernels.levers.syntax import identifiers, named, root_name, strip_parentheses, text_of, walk
from kernels.levers.unit import Unit
from knowledge.baselines.values import Spot

FAR = 6  # turns after which a constant stride is that many times the first


@dataclass(slots=True)
class Frame:
    """What is known inside of one call of a function. loops: place by variable. roots: kernel arguments behind
    pointers. deps: of scalars and pointers. reset: number of loops around the last plain value of a scalar."""

    function: Node
    loops: dict[str, int] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)
    deps: dict[str, frozenset[int]] = field(default_factory=dict)
    reset: dict[str, int] = field(default_factory=dict)


class Spots:
    """Accesses of one statement. depth: number of loops around it."""

    def __init__(self, unit: Unit, frame: Frame, statement: Node, depth: int) -> None:
        self._unit, self._frame, self._statement = unit, frame, statement
        self._open = frozenset(range(depth))
        self._turns: dict[tuple[str, int], Places] = {}

    def of(self, node: Node) -> Spot:
        """One whole element expression."""
        name = root_name(node)
        root = self._frame.roots.get(name, name)
        held = self._frame.deps.get(name, frozenset())
        try:
            strides, offset = self._strides(node)
        except Unsupported:
            return Spot(root, (self.deps_inside(node) | held) & self._open, known=False)
        moved = frozenset(place for place, stride in strides.items() if stride)
        return Spot(root, (moved | held) & self._open, {k: v for k, v in strides.items() if v}, offset)

    def below(self, node: Node) -> list[Spot]:
        """Every access in an expression, those inside of subscripts as well."""
        return [self.of(one) for one in elements(node)]

    def deps(self, node: Node) -> frozenset[int]:
        """Loops that may change the value of an expression."""
        whole = list(elements(node))
        spots = frozenset[int]().union(*(self.of(one).deps for one in whole))
        inside = {n.id for one in whole for n in walk(one)}
        names = {text_of(n) for n in walk(node) if n.type == "identifier" and n.id not in inside}
        return (spots | self._named(names)) & self._open

    def deps_inside(self, element: Node) -> frozenset[int]:
        """Of an access whose address is no integer expression: everything that its subscripts are made from."""
        inner = frozenset[int]().union(*(self.of(one).deps for one in elements_inside(element)))
        return inner | self._named(identifiers(element) - {root_name(element)})

    def _named(self, names: set[str]) -> frozenset[int]:
        frame = self._frame
        own = {frame.loops[name] for name in names if name in frame.loops}
        return frozenset(own).union(*(frame.deps.get(name, frozenset()) for name in names))

    def _strides(self, node: Node) -> tuple[dict[int, int], int]:
        """By place of the loop. Raises: Unsupported."""
        start = self._places("", 0).element(node).offset
        found: dict[int, int] = {}
        for variable, place in self._frame.loops.items():
            one, far = (self._places(variable, k).element(node).offset - start for k in (1, FAR))
            if far != FAR * one:
                raise Unsupported("no constant stride")
            found[place] = one
        return found, start

    def _places(self, variable: str, step: int) -> Places:
        """All being equal but one loop's variable, which is some turns further."""
        key = (variable, step)
        if key not in self._turns:
            fixed: dict[str, int] = {}
            if variable:
                values = self._places("", 0).values
                held = {name: values[name] for name in self._frame.loops if name in values}
                fixed = {**held, variable: held.get(variable, 0) + step}
            self._turns[key] = places_at(self._unit, self._statement, fixed)
        return self._turns[key]


def elements_inside(element: Node) -> Iterator[Node]:
    """Element expressions in the subscripts of one, not itself."""
    for part in named(strip_parentheses(element)):
        if part.type == "subscript_expression" and _goes_on(part, element):
            yield from elements_inside(part)
        else:
            yield from elements(part)


def _goes_on(part: Node, element: Node) -> bool:
    argument = child(element, "argument")
    return argument is not None and argument.id == part.id
