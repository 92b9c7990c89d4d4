"""Innermost loops whose whole body works on vectors: sums, stores to neighbouring elements, temporaries."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.loops import CountedLoop
from kernels.levers.nests.order import carried
from kernels.levers.nests.runner import changed_names
from kernels.levers.nests.scopes import declarations
from kernels.levers.nests.site import sites
from kernels.levers.nests.strides import Access, accesses
from kernels.levers.nests.trace import trace
from kernels.levers.nests.updates import Update, update_of
from kernels.levers.scope import Variable, declared_by, visible
from kernels.levers.syntax import field, named, statements, strip_parentheses, text_of, walk
from kernels.levers.unit import Unit, function_name
from kernels.levers.vector_terms import SIZES, Terms


@dataclass(frozen=True)
class VectorBlock:
    """sums: what the loop adds up, in order; stores: assignments of neighbouring elements. element: of all arrays."""

    loop: CountedLoop
    function: Node
    element: str
    sums: tuple[Update, ...]
    stores: tuple[Node, ...]
    _terms: Terms

    @property
    def size(self) -> int:
        return SIZES[self.element]

    def terms(self, kind: str) -> Terms:
        """For vectors of the type `kind`."""
        t = self._terms
        return Terms(t.unit, t.loop, t.element, kind, t.outer, t.by_node, t.locals, t.changed)

    def steps(self, unit: Unit, kind: str, shift: str, part: str) -> list[str]:
        """The body on vectors; sum k goes to `part` with k put in."""
        terms, count, lines = self.terms(kind), 0, list[str]()
        for statement in statements(self.loop.body):
            if statement.type == "declaration":
                held = _values(statement, self.element)
                lines += [f"const {kind} {v.name} = {terms.vector(value, shift)};" for v, value in held]
                continue
            node = named(statement)[0]
            update = update_of(unit, node)
            if update is not None and update.target.start_byte in {s.target.start_byte for s in self.sums}:
                value = " + ".join(f"{sign}{terms.vector(term, shift)}" for sign, term in update.terms)
                lines.append(f"{part.format(count)} += {value};")
                count += 1
            else:
                lines.append(_stored(terms, update, node, shift))
        return lines


def _stored(terms: Terms, update: Update | None, node: Node, shift: str) -> str:
    if update is not None and update.operator == "+" and update.terms:
        value = " + ".join(f"{sign}{terms.vector(term, shift)}" for sign, term in update.terms)
        return f"{terms.place(update.target, shift)} += {value};"
    target, value, operator = (field(node, x) for x in ("left", "right", "operator"))
    if target is None or value is None or operator is None:
        raise Unsupported("a statement that is no assignment")
    return f"{terms.place(target, shift)} {text_of(operator)} {terms.vector(value, shift)};"


def blocks(unit: Unit) -> Iterator[tuple[str, VectorBlock]]:
    """Every such loop with its name: function and number among them."""
    count: dict[str, int] = {}
    for site in sites(unit):
        try:
            found = _block(unit, site.function, site.loop)
        except Unsupported:
            continue
        name = function_name(site.function)
        yield f"{name}/{count.get(name, 0)}", found
        count[name] = count.get(name, 0) + 1


def _block(unit: Unit, function: Node, loop: CountedLoop) -> VectorBlock:
    """Raises: Unsupported."""
    body = statements(loop.body)
    if any(n.type in ("for_statement", "preproc_if", "preproc_ifdef") for n in walk(loop.body)):
        raise Unsupported("not an innermost loop")
    if not all(s.type in ("expression_statement", "declaration") and named(s) for s in body):
        raise Unsupported("more than assignments")
    found = accesses(unit, loop)
    element = _element(found)
    sums = tuple(_sums(unit, body, found))
    _check_sums(visible(function, loop.node), sums, element)
    stores = tuple(n for s in body if s.type == "expression_statement" for n in named(s) if not _is_sum(n, sums))
    _check_stores(stores, found)
    _check_order(unit, loop, sums)
    inside = frozenset(v.name for s in body if s.type == "declaration" for v in declared_by(s))
    by_node = {a.node.start_byte: a for a in found}
    changed = frozenset(changed_names(loop.body))
    terms = Terms(unit, loop, element, "kw_v", visible(function, loop.node), by_node, inside, changed)
    block = VectorBlock(loop, function, element, sums, stores, terms)
    if not block.steps(unit, "kw_v", "0", "kw_part"):
        raise Unsupported("nothing to do")
    return block


def _element(found: Sequence[Access]) -> str:
    elements = {a.element for a in found}
    if len(elements) != 1 or not elements <= SIZES.keys():
        raise Unsupported("arrays of several types")
    return elements.pop()


def _sums(unit: Unit, body: Sequence[Node], found: Sequence[Access]) -> Iterator[Update]:
    """Updates by + of a scalar or of an element that stands still."""
    still = {a.node.start_byte for a in found if a.still}
    for statement in body:
        update = update_of(unit, named(statement)[0]) if statement.type == "expression_statement" else None
        if update is not None and update.operator == "+" and update.terms:
            target = strip_parentheses(update.target)
            if target.type == "identifier" or target.start_byte in still:
                yield update


def _check_sums(outer: Mapping[str, Variable], sums: Sequence[Update], element: str) -> None:
    """Raises: Unsupported for a sum of another type than the arrays': it is rounded or cut off in another way."""
    for one in sums:
        target = strip_parentheses(one.target)
        variable = outer.get(text_of(target))
        if target.type == "identifier" and (variable is None or variable.element != element):
            raise Unsupported(f"the sum {text_of(target)} of another type")


def _is_sum(node: Node, sums: Sequence[Update]) -> bool:
    return any(s.target.start_byte == node.start_byte for s in sums)


def _check_stores(stores: Sequence[Node], found: Sequence[Access]) -> None:
    by_node = {a.node.start_byte: a for a in found if a.stored}
    for node in stores:
        target, operator = field(node, "left"), field(node, "operator")
        access = by_node.get(target.start_byte) if target is not None else None
        if operator is None or text_of(operator) not in ("=", "+=", "-=", "*=", "/=") or access is None:
            raise Unsupported("a statement that is no assignment")
        if access.stride != 1:
            raise Unsupported("a store to elements that are not neighbours")


def _check_order(unit: Unit, loop: CountedLoop, sums: Sequence[Update]) -> None:
    """Turns must not meet, but for the sums."""
    between = carried(trace(unit, [loop.node]))
    if between.blocked or len(between.reduced) > len(sums):
        raise Unsupported("turns that depend on each other")


def _values(statement: Node, element: str) -> list[tuple[Variable, Node]]:
    """The variables of a declaration, all of the arrays' type, with their values. Raises: Unsupported."""
    found = [(v, x) for v, x in declarations(statement) if x is not None and v.is_scalar and v.element == element]
    if len(found) != len(declarations(statement)):
        raise Unsupported("a declaration without a value, or of another type")
    return found
