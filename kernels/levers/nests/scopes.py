"""What is known at a place in a function: values of integers, what local pointers point to."""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.loops import written_names
from kernels.levers.nests.headers import header_of, variable_of
from kernels.levers.nests.integers import INTEGERS, Integers, integers_of, kept
from kernels.levers.nests.places import Places
from kernels.levers.scope import Variable, declared_by, visible
from kernels.levers.syntax import enclosing, field, identifiers, named, same, walk
from kernels.levers.unit import Unit, unit_of


def places_at(unit: Unit, node: Node, fixed: Mapping[str, int] | None = None) -> Places:
    """Constants have their values, variables of loops around the node their middle ones or those of `fixed`; any other
    integer is large. Raises: Unsupported outside of a function."""
    function = enclosing(node, "function_definition")
    if function is None:
        raise Unsupported("outside of a function")
    integers = integers_of(unit.source)
    scope = Places(integers, unit.source, visible(function, node))
    unknown = [v for v in scope.arrays.values() if v.is_scalar and v.element in INTEGERS]
    scope.values |= {v.name: 4096 * (3 + k) for k, v in enumerate(unknown)} | dict(fixed or {})
    scope.unknown |= {v.name for v in unknown} - set(fixed or {})
    changed = _changed_later(unit.source, function.start_byte)
    for block in reversed(list(_above(function, node))):
        if block.type == "for_statement":
            _enter(block, integers, scope, fixed or {})
            continue
        for child in named(block):
            if child.type == "declaration" and child.end_byte <= node.start_byte:
                _declare(child, scope, changed)
    return scope


def declarations(node: Node) -> list[tuple[Variable, Node | None]]:
    """The variables of one declaration with their values. Raises: Unsupported when one of them is unusual."""
    variables, declarators = list(declared_by(node)), node.children_by_field_name("declarator")
    if len(variables) != len(declarators):
        raise Unsupported("declaration")
    values = [field(d, "value") if d.type == "init_declarator" else None for d in declarators]
    return list(zip(variables, values, strict=True))


def _enter(node: Node, integers: Integers, scope: Places, fixed: Mapping[str, int]) -> None:
    if variable_of(node) in fixed:
        scope.around[variable_of(node)] = fixed[variable_of(node)]
        scope.unknown.discard(variable_of(node))
        return
    try:
        header = header_of(node, integers, scope.values)
    except Unsupported:
        return
    scope.values[header.variable] = scope.around[header.variable] = header.value(header.trip // 2)
    scope.unknown.discard(header.variable)


@lru_cache(maxsize=256)
def _changed_later(source: str, start: int) -> frozenset[str]:
    """Variables that the function which begins there sets to something else than what they are declared with."""
    function = next(f for f in unit_of(source).functions.values() if f.start_byte == start)
    return frozenset(name for node in walk(function) for name in written_names(node))


def _declare(node: Node, scope: Places, changed: Collection[str]) -> None:
    try:
        found = declarations(node)
    except Unsupported:
        return
    for variable, value in found:
        if variable.name in changed:
            continue
        if is_pointer(variable):
            scope.declared(variable, value)
        elif variable.is_scalar and variable.element in INTEGERS and value is not None:
            _note(scope, variable, value)


def _note(scope: Places, variable: Variable, value: Node) -> None:
    """Keeps the value of an integer, a guess where it is made of one."""
    try:
        scope.values[variable.name] = kept(variable.element, scope.integers.evaluate(value, scope.values))
    except Unsupported:
        return
    if not identifiers(value) & scope.unknown:
        scope.unknown.discard(variable.name)


def is_pointer(variable: Variable) -> bool:
    """Also one to an array, but no array."""
    return bool(variable.pointers) or variable.dims[:1] == ("",)


def loops_above(node: Node) -> list[Node]:
    """The for statements around it, outer first."""
    found, above = list[Node](), node.parent
    while above is not None:
        if above.type == "for_statement":
            found.insert(0, above)
        above = above.parent
    return found


def _above(function: Node, node: Node) -> Iterator[Node]:
    """Blocks and loops around the node, inner first."""
    above = node.parent
    while above is not None and not same(above, function):
        if above.type in ("compound_statement", "for_statement"):
            yield above
        above = above.parent
