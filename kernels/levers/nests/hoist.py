"""The lever that keeps in a variable what a loop reads from, or adds to, the same element in every turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from tree_sitter import Node
from typing_extensions import override

from kernels.levers.abstract import Unsupported
from kernels.levers.base import Context
from kernels.levers.loops import CountedLoop, leaves_early
from kernels.levers.nests.headers import header_of
from kernels.levers.nests.integers import integers_of
from kernels.levers.nests.places import SIZES
from kernels.levers.nests.runner import moving_names
from kernels.levers.nests.site import NestLever, Site, Way
from kernels.levers.nests.strides import Access, accesses
from kernels.levers.nests.trace import trace
from kernels.levers.nests.updates import bare
from kernels.levers.syntax import Edit, edited_text, field, identifiers, replace_node, same, text_of, walk
from kernels.levers.unit import Unit

CONDITIONAL: Final = (
    "if_statement", "conditional_expression", "switch_statement", "while_statement", "do_statement",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Held:
    """An element that every turn of the loop uses."""

    nodes: tuple[Node, ...]
    element: str
    stored: bool


class HoistLever(NestLever):
    """for j y[i] += ... becomes t = y[i]; for j t += ...; y[i] = t; elements that are only read are loaded once."""

    name: ClassVar[str] = "hoist"
    expects: ClassVar[str] = "a load and a store a turn, and the wait of the next turn for the store"

    @override
    def ways(self, unit: Unit, site: Site, context: Context) -> list[Way]:
        held = held_in(unit, site.loop)
        if not held or leaves_early(site.loop.body):
            return []
        names = ", ".join(text_of(h.nodes[0]) for h in held)
        return [Way({}, f"the loop over {site.loop.variable} uses {names} in every turn and stores to memory")]

    @override
    def edits(self, unit: Unit, site: Site, way: Way, number: int, context: Context) -> list[Edit]:
        loop, before, after, edits = site.loop, "", "", list[Edit]()
        guard = "" if _runs(unit, loop.node) else f"if (({loop.type})({loop.lower}) < {loop.upper}) "
        for k, held in enumerate(held_in(unit, loop)):
            name, place = f"kw_held_{number}_{k}" if k else f"kw_held_{number}", text_of(held.nodes[0])
            before += f"{'' if held.stored else 'const '}{held.element} {name} = {place};\n"
            after += f"{place} = {name};\n" if held.stored else ""
            edits += [replace_node(n, name) for n in held.nodes]
        return [replace_node(loop.node, f"{guard}{{\n{before}{edited_text(loop.node, edits)}\n{after}}}")]


def held_in(unit: Unit, loop: CountedLoop) -> list[Held]:
    """Elements that stand still in this loop, when the loop stores anything; none that another access may meet."""
    if any(n.type in ("preproc_if", "preproc_ifdef", "preproc_else") for n in walk(loop.body)):
        return []
    found = accesses(unit, loop)
    stored = {a.root for a in found if a.stored}
    if not stored or "" in stored:
        return []
    moving = moving_names(loop)
    still = [a for a in found if a.still and a.element in SIZES and not identifiers(a.node) & moving]
    groups: dict[str, list[Access]] = {}
    for access in still:
        groups.setdefault(bare(access.node), []).append(access)
    return [
        _held(g) for g in groups.values()
        if not _contains_load(g[0].node, stored) and _comes_always(unit, loop, g) and _alone(unit, loop, g)
    ]  # fmt: skip


def _held(group: Sequence[Access]) -> Held:
    return Held(tuple(a.node for a in group), group[0].element, any(a.stored for a in group))


def _contains_load(node: Node, stored: set[str]) -> bool:
    """Whether its place depends on an element that the loop may change."""
    return len([n for n in walk(node) if n.type == "identifier" and text_of(n) in stored]) > 1


def _alone(unit: Unit, loop: CountedLoop, group: Sequence[Access]) -> bool:
    """Whether no other access of the loop meets the element, as far as the sampled turns show."""
    try:
        events = trace(unit, [loop.node])
    except Unsupported:
        return False
    own = {a.node.start_byte for a in group}
    cells = {e.cell for e in events if e.at in own}
    return all(e.at in own for e in events if e.cell in cells)


def _comes_always(unit: Unit, loop: CountedLoop, group: Sequence[Access]) -> bool:
    """Whether every turn uses the element, so that a load in front of the loop reads what the loop reads."""
    return any(_always(unit, loop, access.node) for access in group)


def _always(unit: Unit, loop: CountedLoop, node: Node) -> bool:
    above = node.parent
    while above is not None and not same(above, loop.node):
        if above.type == "for_statement" and not _runs(unit, above):
            return False
        operator = field(above, "operator")
        if above.type in CONDITIONAL or (operator is not None and text_of(operator) in ("&&", "||")):
            return False
        above = above.parent
    return True


def _runs(unit: Unit, node: Node) -> bool:
    """Whether the for statement has at least one turn, whatever happens around it."""
    try:
        return header_of(node, integers_of(unit.source), {}).trip > 0
    except Unsupported:
        return False
