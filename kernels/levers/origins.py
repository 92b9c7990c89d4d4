"""What a pointer may point into: arrays by name, followed through locals and through the calls of a function.

Two arrays whose origins have nothing in common never overlap: the arrays of the contract do not, by the contract.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Final

from tree_sitter import Node

from kernels.levers.loops import written_names
from kernels.levers.scope import Variable, declared_by, parameters, visible
from kernels.levers.syntax import enclosing, field, named, root_name, strip_parentheses, text_of, walk
from kernels.levers.unit import Unit, function_name, unit_of
from kernels.levers.uses import calls_of, uses_of
from kernels.packs.trees import called

ASSIGNED: Final = "assignment_expression"
ANYTHING: Final = ""
ALLOCATING: Final = frozenset({"malloc", "calloc", "alloca", "aligned_alloc", "__builtin_alloca"})
DEPTH: Final = 6
Origins = frozenset[str]
UNKNOWN: Final = frozenset({ANYTHING})


def may_overlap(unit: Unit, places: Mapping[str, Node], stored: Collection[str]) -> tuple[str, str] | None:
    """Two of the arrays, at least one of them stored to, that may be the same memory in one call of their function;
    None when there are none. places: by name, where it is used."""
    if not set(stored) & set(places):
        return None
    function = enclosing(next(iter(places.values())), "function_definition")
    calls = calls_of(unit, function_name(function)) if function is not None else []
    for call in calls or [None]:
        found = {name: origins(unit, node, name, call) for name, node in places.items()}
        for one, other in combinations(sorted(found), 2):
            met = {one, other} & set(stored) and _common(found[one], found[other])
            if met and not _exchanged(unit, places[one], one, other):
                return one, other
    return None


def is_array_at(unit: Unit, place: Node, name: str) -> bool:
    """Whether the name stands for an array or pointer there, of the function or of the file."""
    function = enclosing(place, "function_definition")
    variable = visible(function, place).get(name) if function is not None else None
    return variable.is_array if variable is not None else name in _pointing(unit.source)


def _exchanged(unit: Unit, place: Node, one: str, other: str) -> bool:
    """Whether the two pointers change only by being exchanged with each other, and begin apart."""
    function = enclosing(place, "function_definition")
    if function is None:
        return False
    begun = [_begun(function, name) for name in (one, other)]
    swaps = sum(_is_exchange(node, one, other) for node in walk(function))
    sets = sum(_is(field(n, "left"), name) for n in walk(function) for name in (one, other) if n.type == ASSIGNED)
    stepped = any(set(written_names(n)) & {one, other} for n in walk(function) if n.type != ASSIGNED)
    if None in begun or stepped or not swaps or sets != 2 * swaps:
        return False
    return not _common(*(_of(unit, value, None, 0) for value in begun))


def _begun(function: Node, name: str) -> Node | None:
    """What the variable is declared with, when it is declared once."""
    found = [field(n, "value") for n in walk(function) if _is_declarator(n) and _declares(n, name)]
    return found[0] if len(found) == 1 else None


def _is_exchange(node: Node, one: str, other: str) -> bool:
    """`t = a; a = b; b = t`, t being declared there."""
    second = node.next_named_sibling
    third = second.next_named_sibling if second is not None else None
    if node.type != "declaration" or second is None or third is None:
        return False
    lines = ["".join(text_of(n).split()) for n in (node, second, third)]
    held = next((v.name for v in declared_by(node)), "")
    return any(
        lines[0].endswith(f"{held}={a};") and lines[1:] == [f"{a}={b};", f"{b}={held};"]
        for a, b in ((one, other), (other, one))
    )


def _is_declarator(node: Node) -> bool:
    return node.type == "init_declarator" and node.parent is not None and node.parent.type == "declaration"


def _common(one: Origins, other: Origins) -> bool:
    return ANYTHING in one or ANYTHING in other or bool(one & other)


def origins(unit: Unit, place: Node, name: str, call: Node | None = None, depth: int = 0) -> Origins:
    """Of the array or pointer of that name at that place, in one call of the function or in any."""
    function = enclosing(place, "function_definition")
    if function is None or depth > DEPTH:
        return UNKNOWN
    variable = visible(function, place).get(name)
    if variable is None:
        return frozenset({name}) if name in _arrays(unit.source) else UNKNOWN
    key = f"{function_name(function)}.{name}"
    values = list(_values(function, name))
    if None in values:
        return UNKNOWN
    if any(v.name == name for v in parameters(function)):
        passed = [
            _passed(function, one, name)
            for one in ([call] if call is not None else calls_of(unit, function_name(function)))
        ]
        if not values and not passed:
            return frozenset({key})
        return _union(unit, values, call, depth) | _union(unit, passed, None, depth)
    if not _is_pointer(variable):
        return frozenset({key})
    return _union(unit, values, call, depth) if values else UNKNOWN


def _is_pointer(variable: Variable) -> bool:
    return bool(variable.pointers) or variable.dims[:1] == ("",)


def _union(unit: Unit, values: Iterable[Node | None], call: Node | None, depth: int) -> Origins:
    return Origins(one for value in values for one in _of(unit, value, call, depth + 1))


def _of(unit: Unit, value: Node | None, call: Node | None, depth: int) -> Origins:
    """Of an expression whose value is an address."""
    if value is None:
        return UNKNOWN
    value = strip_parentheses(value)
    match value.type:
        case "conditional_expression":
            return _union(unit, [field(value, "consequence"), field(value, "alternative")], call, depth)
        case "call_expression":
            name = called(value)
            return frozenset({f"{name}@{value.start_byte}"}) if name in ALLOCATING else UNKNOWN
        case "cast_expression":
            return _of(unit, field(value, "value"), call, depth)
        case "field_expression":
            return _member(unit, value, depth)
    name = root_name(value)
    return origins(unit, value, name, call, depth) if name and not _loads_pointer(value, name) else UNKNOWN


def _loads_pointer(value: Node, name: str) -> bool:
    """Whether the address itself is read from memory."""
    function = enclosing(value, "function_definition")
    variable = visible(function, value).get(name) if function is not None else None
    fields = any(n.type == "field_expression" for n in walk(value))
    return fields or (variable is not None and variable.pointers + bool(variable.dims) > 1 and bool(variable.pointers))


def _member(unit: Unit, value: Node, depth: int) -> Origins:
    """Of what the body of a parallel loop finds in its context: the variable of that name where the loop stood."""
    function = enclosing(value, "function_definition")
    body, name = function_name(function) if function is not None else "", text_of(field(value, "field") or value)
    if not body.startswith("kw_body_") or text_of(field(value, "argument") or value) != "kw":
        return UNKNOWN
    calls = [n for n in uses_of(unit, body) if n.parent is not None and n.parent.type == "argument_list"]
    own = [n for n in calls if name.startswith("kw_own_")]  # sums that a thread keeps for itself
    if own:
        return frozenset({f"{body}.{name}"})
    found = [origins(unit, n, name, None, depth) for n in calls]
    return Origins(one for each in found for one in each) if found else UNKNOWN


def _values(function: Node, name: str) -> Iterator[Node | None]:
    """What a variable is set to, but for steps within its array; None where its address is taken."""
    for node in walk(function):
        value = field(node, "value") if _is_declarator(node) and _declares(node, name) else None
        if node.type == ASSIGNED and _is(field(node, "left"), name) and text_of(field(node, "operator") or node) == "=":
            value = field(node, "right")
        if value is not None and root_name(value) != name:
            yield value
        if node.type == "pointer_expression" and text_of(node).startswith("&") and _is(field(node, "argument"), name):
            yield None


def _declares(node: Node, name: str) -> bool:
    declarator = field(node, "declarator")
    first = next((n for n in walk(declarator) if n.type == "identifier"), None) if declarator is not None else None
    return first is not None and text_of(first) == name


def _is(node: Node | None, name: str) -> bool:
    inner = strip_parentheses(node) if node is not None else None
    return inner is not None and inner.type == "identifier" and text_of(inner) == name


def _passed(function: Node, call: Node, name: str) -> Node | None:
    """What the call passes for the parameter."""
    number, listed = [v.name for v in parameters(function)].index(name), field(call, "arguments")
    given = named(listed) if listed is not None else []
    return given[number] if number < len(given) else None


@lru_cache(maxsize=64)
def _pointing(source: str) -> frozenset[str]:
    """Arrays and pointers at file scope."""
    declared = (n for n in unit_of(source).root.children if n.type == "declaration")
    return frozenset(v.name for n in declared for v in declared_by(n) if v.is_array)


@lru_cache(maxsize=64)
def _arrays(source: str) -> frozenset[str]:
    """Arrays at file scope."""
    declared = (n for n in unit_of(source).root.children if n.type == "declaration")
    return frozenset(v.name for n in declared for v in declared_by(n) if v.dims and not _is_pointer(v))
