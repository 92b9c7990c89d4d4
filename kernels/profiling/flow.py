"""Which arguments each parallel loop of a source reads and writes, in the order in which the loops run. By syntax.

The entry point is followed statement by statement, calls of its own functions with what is passed, structures member by
member. Pointers are followed through locals, casts and address arithmetic; what a pointer loads is data and no pointer.
The source is untrusted: what cannot be followed is left out, and the walk has an end.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from tree_sitter import Node
from typing_extensions import override

from kernels.levers.scope import declared_by, parameters
from kernels.levers.syntax import field as child
from kernels.levers.syntax import in_fallback, named, strip_parentheses, text_of
from kernels.levers.unit import Unit, unit_of
from kernels.profiling.flow_expressions import Expressions
from kernels.profiling.flow_values import (
    NONE,
    Flow,
    Loop,
    TooDeep,
    Touched,
    Value,
    holds_pointers,
    joined,
    macros,
    structs,
    tag_of,
)

PARALLEL: Final = "kw_parallel_for"
MARKS: Final = ("KW_SPAN_BEGIN", "KW_SPAN_END")
MOST_CALLS: Final = 2000
UNSURE: Final = ("for_statement", "while_statement", "do_statement", "if_statement", "switch_statement")
SKIPPED: Final = ("preproc_else", "preproc_elif", "function_definition", "comment")


@lru_cache(maxsize=16)
def flow_of(source: str, entry: str, arguments: tuple[str, ...]) -> Flow | None:
    """arguments: names by position, "" for scalars. None when there is no such entry or its calls do not end."""
    unit = unit_of(source)
    function = entry_of(unit, entry)
    if function is None or unit.root.has_error:
        return None
    walker = _Walker(unit)
    try:
        walker.call(function, [Value(frozenset({name}) if name else frozenset()) for name in arguments])
    except (TooDeep, RecursionError):
        return None
    return walker.flow


def entry_of(unit: Unit, entry: str) -> Node | None:
    """The function of this name, also where a macro gives it another one."""
    alias = next((name for name, text in unit.macros.items() if text_of(strip_parentheses(text)) == entry), entry)
    return unit.functions.get(entry) or unit.functions.get(alias)


class _Walker(Expressions):
    def __init__(self, unit: Unit) -> None:
        super().__init__()
        self.flow = Flow()
        self._unit = unit
        self._structs = dict(structs(unit.root))
        self._macros = dict(macros(unit.root))
        self._calls = 0
        self._within: list[int] = []
        self._loop: Touched | None = None
        self._marks: list[str] = []
        self._sure = True

    @property
    @override
    def touched(self) -> Touched:
        if self._loop is not None:
            return self._loop
        place = (self._marks[-1] if self._marks else "", len(self.flow.loops))
        return self.flow.serial.setdefault(place, Touched())

    def call(self, function: Node, passed: Iterable[Value]) -> None:
        """Follow one call of a function of the source; a recursive one is left out. Raises: TooDeep."""
        self._calls += 1
        if self._calls > MOST_CALLS:
            raise TooDeep
        body = child(function, "body")
        if function.id in self._within or body is None:
            return
        outer = self.env
        self.env = {
            p.name: value.also(Value(holds=holds_pointers(p)))
            for p, value in zip(parameters(function), passed, strict=False)
        }
        self._within.append(function.id)
        self._statement(body)
        self._within.pop()
        self.env = outer

    def _statement(self, node: Node) -> None:
        if node.type in SKIPPED:
            return
        if node.type == "declaration":
            self._declaration(node)
        elif node.type.endswith(("_expression", "identifier")):
            self.value(node)
        else:
            sure, self._sure = self._sure, self._sure and node.type not in UNSURE
            for part in named(node):
                self._statement(part)
            self._sure = sure

    def _declaration(self, node: Node) -> None:
        held = {v.name: holds_pointers(v) for v in declared_by(node)}
        for declarator in node.children_by_field_name("declarator"):
            value, name = child(declarator, "value"), _declared(declarator)
            given = NONE
            if value is not None:
                listed = value.type == "initializer_list"
                given = self.struct(child(node, "type"), value) if listed else self.value(value)
            self.env[name] = given.also(Value(holds=held.get(name, False)))

    @override
    def struct(self, kind: Node | None, listed: Node) -> Value:
        """The members of an initialiser; of an array, what any of its elements points into."""
        order = self._structs.get(tag_of(kind), ())
        members: dict[str, Value] = {}
        for number, one in enumerate(named(listed)):
            if one.type == "initializer_pair":
                designator, value = child(one, "designator"), child(one, "value")
                name = text_of(designator).lstrip(".") if designator is not None else ""
                members[name] = self.value(value) if value is not None else NONE
            else:
                members[order[number] if number < len(order) else str(number)] = self.value(one)
        return Value(joined(members.values()), members if order else None)

    @override
    def called(self, node: Node) -> Value:
        function, listed = child(node, "function"), child(node, "arguments")
        name = text_of(function) if function is not None else ""
        given = named(listed) if listed is not None else []
        if name in MARKS:
            self._mark(name, text_of(given[0]) if given else "")
            return NONE
        values = [self.value(one) for one in given]
        if name == PARALLEL and len(given) == 4:
            self._parallel(text_of(strip_parentheses(given[2])).lstrip("&"), values[3])
            return NONE
        return self._followed(name, values)

    def _followed(self, name: str, values: list[Value]) -> Value:
        """A call of the source's own; any other function reads all that it is given, and may return it."""
        own = self._unit.functions.get(name)
        if own is not None and not in_fallback(own):
            self.call(own, values)
        else:
            words = [self.env.get(word, NONE) for word in self._macros.get(name, ())]
            self.touched.reads |= joined([*values, *words])
        return Value(joined(values))

    def _parallel(self, body: str, context: Value) -> None:
        """Called from within a body it runs serially there."""
        outer = self._loop
        if outer is None:
            self._loop = Touched()
            self.flow.loops.append(Loop(body, self._loop, self._sure))
        function = self._unit.functions.get(body)
        if function is not None:
            self.call(function, [context])
        self._loop = outer

    def _mark(self, which: str, name: str) -> None:
        if self._loop is not None:
            return
        if which == MARKS[0]:
            self._marks.append(name)
        elif name in self._marks:
            self._marks.remove(name)


def _declared(declarator: Node) -> str:
    """The name that a declarator declares."""
    inner: Node | None = declarator
    while inner is not None and inner.type != "identifier":
        inner = child(inner, "declarator") or next(iter(named(inner)), None)
    return text_of(inner) if inner is not None else ""
