"""Whether a loop's turns touch different elements, by its text alone, where no trace can be made of it."""

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from kernels.levers.effects import hidden, writes_nothing, writes_through_arguments
from kernels.levers.loops import CountedLoop, written_names
from kernels.levers.nests.integers import BITS, INTEGERS
from kernels.levers.origins import is_array_at, may_overlap
from kernels.levers.scope import declared_by, declared_inside
from kernels.levers.syntax import (
    field,
    identifiers,
    named,
    root_name,
    strip_parentheses,
    text_of,
    walk,
)
from kernels.levers.unit import Unit
from kernels.packs.trees import called

WIDEST: Final = 64
"""Of a number that a subscript within a turn's own part may add."""


def writes_own_elements(unit: Unit, loop: CountedLoop) -> bool:
    """Whether every store goes to an element, or a row, that no other turn touches, or to a local of the turn."""
    targets = _targets(unit, loop)
    if targets is None or any(hidden(unit, n) for n in walk(loop.body)):
        return False
    inside, own = declared_inside(loop.body), dict(_following(loop))
    if any(set(written_names(n)) - inside for n in walk(loop.body)):
        return False
    foreign = [t for t in targets if root_name(t) not in inside or root_name(t) in own]
    return not _overlapping(unit, loop, foreign) and all(_own(loop, t, own) for t in foreign)


def calls_write_nothing(unit: Unit, node: Node) -> bool:
    """Whether nothing below the node changes anything but by the assignments that stand there."""
    names = (called(n) for n in walk(node) if n.type == "call_expression")
    return all(writes_nothing(unit, name) for name in names) and not any(hidden(unit, n) for n in walk(node))


def _targets(unit: Unit, loop: CountedLoop) -> list[Node] | None:
    """Elements and parts of arrays that the body stores to; None when a call may store anywhere."""
    found: list[Node] = []
    for node in walk(loop.body):
        target = field(node, "left") if node.type == "assignment_expression" else None
        target = field(node, "argument") if node.type == "update_expression" else target
        target = strip_parentheses(target) if target is not None else None
        if target is not None and target.type != "identifier":
            found.append(target)
        if node.type == "call_expression":
            stored = _stored_by(unit, node)
            if stored is None:
                return None
            found += stored
    return found


def _stored_by(unit: Unit, call: Node) -> list[Node] | None:
    """Arguments through which the call may store; None when it may store elsewhere."""
    name, listed = called(call), field(call, "arguments")
    given = named(listed) if listed is not None else []
    if name.startswith("_mm"):
        return given[:1] if "store" in name or "stream" in name else []
    if name.startswith("__builtin_") or writes_nothing(unit, name):
        return []
    written = writes_through_arguments(unit, name)
    return [given[k] for k in written if k < len(given)] if written is not None else None


def _following(loop: CountedLoop) -> Iterator[tuple[str, Node | None]]:
    """The loop's variable, and the locals that are another number or place in every turn, with their values."""
    known = {loop.variable}
    yield loop.variable, None
    changed = {name for n in walk(loop.body) for name in written_names(n)}
    for node in walk(loop.body):
        name, value = field(node, "declarator"), field(node, "value")
        if node.type == "init_declarator" and name is not None and value is not None and _moves(value, known):
            fresh = next((text_of(n) for n in walk(name) if n.type == "identifier"), "")
            if fresh not in changed and _has_room(node, fresh):
                known.add(fresh)
                yield fresh, value


def _has_room(declarator: Node, name: str) -> bool:
    """Whether it is a pointer, or a number that holds any index."""
    holder = declarator.parent
    found = [v for v in declared_by(holder) if v.name == name] if holder and holder.type == "declaration" else []
    return bool(found) and (found[0].is_array or abs(BITS.get(found[0].element, 64)) >= 32)


def _moves(node: Node, own: set[str]) -> bool:
    """Whether it has another value in every turn: one of its terms is an own name, alone or times something."""
    node = strip_parentheses(node)
    if node.type == "pointer_expression" and text_of(node).startswith("&"):
        inner = strip_parentheses(field(node, "argument") or node)
        return inner.type == "subscript_expression" and _place_moves(inner, own)
    moving = [term for term in _terms(node) if identifiers(term) & own]
    return len(moving) == 1 and _is_multiple(moving[0], own)


def _terms(node: Node) -> Iterator[Node]:
    node = strip_parentheses(node)
    left, right = field(node, "left"), field(node, "right")
    if node.type == "binary_expression" and text_of(field(node, "operator") or node) in "+-" and left and right:
        yield from _terms(left)
        yield from _terms(right)
    elif _is_wide_cast(node) and (value := field(node, "value")) is not None:
        yield from _terms(value)
    else:
        yield node


def _is_wide_cast(node: Node) -> bool:
    """To a pointer, or to a number that has room for any index."""
    kind = text_of(field(node, "type") or node).strip() if node.type == "cast_expression" else ""
    return kind.endswith("*") or abs(BITS.get(kind, 64 if kind in INTEGERS else 0)) >= 32


def _is_multiple(node: Node, own: set[str]) -> bool:
    if node.type == "identifier":
        return text_of(node) in own
    left, right = field(node, "left"), field(node, "right")
    if node.type != "binary_expression" or text_of(field(node, "operator") or node) != "*" or not left or not right:
        return False
    moving = [side for side in (left, right) if identifiers(side) & own]
    return len(moving) == 1 and _moves(moving[0], own)


def _place_moves(target: Node, own: set[str]) -> bool:
    """Whether one of the subscripts of the element is another one in every turn."""
    node = strip_parentheses(target)
    while node.type == "subscript_expression":
        index, argument = field(node, "index"), field(node, "argument")
        if index is None or argument is None:
            return False
        if _moves(index, own):
            return True
        node = strip_parentheses(argument)
    return _moves(node, own)


def _own(loop: CountedLoop, target: Node, own: dict[str, Node | None]) -> bool:
    if root_name(target) in own:
        return _stays_in_its_part(loop, root_name(target), own)
    return _place_moves(target, set(own)) and _met_there_only(loop, target)


def _stays_in_its_part(loop: CountedLoop, name: str, own: dict[str, Node | None]) -> bool:
    """Whether a local pointer is stepped forwards only, and its array is not touched beside it."""
    value = own[name]
    uses = [n for n in walk(loop.body) if n.type == "identifier" and text_of(n) == name]
    above = [n.parent for n in uses if n.parent is not None]
    indices = [field(n, "index") for n in above if n.type == "subscript_expression"]
    near = all(i is not None and "-" not in text_of(i) and _small(i) for i in indices)
    root = root_name(value) if value is not None else name
    beside = [n for n in walk(loop.body) if n.type == "identifier" and text_of(n) == root]
    return near and len(indices) >= len(uses) - 1 and len(beside) == 1


def _small(index: Node) -> bool:
    numbers = [text_of(n) for n in walk(index) if n.type == "number_literal"]
    return all(n.isdigit() and int(n) <= WIDEST for n in numbers)


def _met_there_only(loop: CountedLoop, target: Node) -> bool:
    """Whether the body touches the stored array at that element only."""
    name, text = root_name(target), text_of(target)
    places = [n for n in walk(loop.body) if n.type == target.type and text_of(n) == text]
    inside = sum(n.type == "identifier" and text_of(n) == name for n in walk(target))
    uses = sum(n.type == "identifier" and text_of(n) == name for n in walk(loop.body))
    return uses == len(places) * inside


def _overlapping(unit: Unit, loop: CountedLoop, targets: list[Node]) -> bool:
    """Whether arrays of the body may overlap, local pointers with what they are made of left out."""
    local = {v.name for n in walk(loop.body) if n.type == "declaration" for v in declared_by(n)}
    places: dict[str, Node] = {}
    for node in walk(loop.body):
        name = text_of(node) if node.type == "identifier" else ""
        if name and name not in local and is_array_at(unit, node, name):
            places.setdefault(name, node)
    return may_overlap(unit, places, {root_name(t) for t in targets} | set(_held_by(loop))) is not None


def _held_by(loop: CountedLoop) -> Iterator[str]:
    """Arrays that local pointers are made of."""
    for node in walk(loop.body):
        value, holder = field(node, "value"), node.parent
        if node.type != "init_declarator" or value is None or holder is None or holder.type != "declaration":
            continue
        if any(v.is_array for v in declared_by(holder)):
            yield root_name(value)
