"""The body of a loop that is to be run in several sweeps: its groups of statements, and locals that outlive a sweep.

A sweep runs one group for all turns of the loop. A local that later groups need becomes an array with one element for a
turn; one that only computes an address or an integer is computed again.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from tree_sitter import Node

from kernels.levers.base import LeverDoesNotApply
from kernels.levers.loops import CountedLoop, counted_loop, written_names
from kernels.levers.nests.integers import INTEGERS
from kernels.levers.nests.places import SIZES
from kernels.levers.scope import Variable, declared_by
from kernels.levers.syntax import (
    Edit,
    edited_text,
    field,
    identifiers,
    named,
    replace_node,
    span,
    statements,
    text_of,
    walk,
)


@dataclass(frozen=True)
class Group:
    """Neighbouring statements, or one loop that is handled apart. numbers: of the statements in the body."""

    numbers: tuple[int, ...]
    nodes: tuple[Node, ...]
    loop: CountedLoop | None


@dataclass(frozen=True)
class Body:
    """expanded: locals that become arrays; repeated: declarations that are written again where they are needed;
    above: the expanded locals of the bodies around this one."""

    groups: tuple[Group, ...]
    expanded: tuple[Variable, ...]
    repeated: tuple[Node, ...]
    number: int
    above: tuple[Variable, ...] = ()

    def arrays(self, length: str) -> str:
        """Declarations of the arrays."""
        return "".join(f"{v.element} {self._name(v.name)}[{length}];\n" for v in self.expanded)

    def text(self, group: Group, index: str) -> str:
        """The statements of a plain group, one turn; index: of the turn, for the arrays."""
        lines = [self._statement(n, index) for n in group.nodes]
        return self._with_repeated(group.nodes, lines)

    def inner(self, group: Group, index: str) -> str:
        """The body of a group's loop, one turn."""
        if group.loop is None:
            raise LeverDoesNotApply("a group without a loop")
        body = group.loop.body
        lines = [self._edited(n, index) for n in statements(body)]
        return self._with_repeated((body,), lines)

    def _with_repeated(self, nodes: Sequence[Node], lines: list[str]) -> str:
        wanted = {name for n in nodes for name in identifiers(n)}
        own = {span(n) for n in nodes}
        needed: list[str] = []
        for declaration in reversed(self.repeated):
            names = {v.name for v in declared_by(declaration)}
            if span(declaration) not in own and names & wanted:
                needed.insert(0, text_of(declaration))
                wanted |= identifiers(declaration)
        return "\n".join(line for line in [*needed, *lines] if line)

    def _statement(self, node: Node, index: str) -> str:
        """A declaration of an expanded local becomes an assignment."""
        names = {v.name for v in declared_by(node)} if node.type == "declaration" else set()
        if not names & {v.name for v in self.expanded}:
            return self._edited(node, index)
        parts = []
        for declarator in node.children_by_field_name("declarator"):
            target, value = field(declarator, "declarator"), field(declarator, "value")
            if declarator.type == "init_declarator" and target is not None and value is not None:
                parts.append(f"{self._name(text_of(target))}[{index}] = {self._edited(value, index)};")
        return " ".join(parts)

    def _edited(self, node: Node, index: str) -> str:
        names = {v.name: f"{self._name(v.name)}[{index}]" for v in (*self.above, *self.expanded)}
        edits: list[Edit] = [
            replace_node(n, names[text_of(n)]) for n in walk(node) if n.type == "identifier" and text_of(n) in names
        ]
        return edited_text(node, edits)

    def _name(self, name: str) -> str:
        return f"kw_{name}_{self.number}"


def body_of(loop: CountedLoop, apart: Collection[int], number: int, above: Body | None = None, cut: int = 0) -> Body:
    """The loop's body, with the statements of these numbers, all loops, as groups of their own. above: the body around;
    cut: a statement with which a new group begins.

    Raises: LeverDoesNotApply when a local cannot be carried from one group to the next.
    """
    inside = statements(loop.body)
    groups = tuple(_groups(inside, apart, cut))
    expanded: list[Variable] = []
    repeated: list[Node] = list(above.repeated) if above is not None else []
    outer = (*above.above, *above.expanded) if above is not None else ()
    for node in inside:
        if node.type != "declaration":
            continue
        names = {v.name for v in declared_by(node)}
        users = [g for g in groups if any(names & identifiers(n) for n in g.nodes)]
        if len(users) < 2:
            continue
        if _is_address(node, inside):
            repeated.append(node)
        else:
            expanded += _expandable(node)
    return Body(groups, tuple(expanded), tuple(repeated), number, outer)


def _groups(inside: Sequence[Node], apart: Collection[int], cut: int) -> list[Group]:
    def key(member: tuple[int, Node]) -> tuple[int, bool]:
        number = member[0]
        return (number, True) if number in apart else (sum(a < number for a in apart) + (0 < cut <= number), False)

    found = []
    for (_, alone), members in groupby(enumerate(inside), key=key):
        numbers, nodes = zip(*members, strict=True)
        found.append(Group(numbers, nodes, counted_loop(nodes[0]) if alone else None))
    return found


def _is_address(node: Node, inside: Sequence[Node]) -> bool:
    """Whether it computes pointers or integers from names and numbers only, once."""
    variables = list(declared_by(node))
    plain = all(v.pointers or v.dims[:1] == ("",) or v.element in INTEGERS for v in variables)
    kinds = {n.type for d in node.children_by_field_name("declarator") for n in walk(d)}
    written = {name for s in inside for n in walk(s) for name in written_names(n)}
    loads = any(_loads(d) for d in node.children_by_field_name("declarator"))
    read = {name for d in node.children_by_field_name("declarator") for name in identifiers(d)}
    return plain and not loads and "call_expression" not in kinds and not written & read


def _loads(declarator: Node) -> bool:
    """Whether the value reads memory: an element that is not below an address operator."""
    value = field(declarator, "value")
    if value is None:
        return False
    stack = [value]
    while stack:
        node = stack.pop()
        if node.type == "pointer_expression" and text_of(node).startswith("&"):
            continue
        if node.type in ("subscript_expression", "pointer_expression", "field_expression"):
            return True
        stack.extend(named(node))
    return False


def _expandable(node: Node) -> list[Variable]:
    variables = list(declared_by(node))
    if len(variables) != len(node.children_by_field_name("declarator")):
        raise LeverDoesNotApply(f"a declaration that cannot be moved: {text_of(node)[:60]}")
    for variable in variables:
        if not variable.is_scalar or variable.element not in SIZES:
            raise LeverDoesNotApply(f"{variable.name} would need one copy a turn")
    return variables
