"""The lever that keeps in a variable what a loop reads from, or adds to, the same element in every turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tree_sitter import Node
from typing_extensions import override

from kernels.levers.abstract import Unsupported
from kernels.levers.base import Context
from kernels.levers.loops import CountedLoop, leaves_early
from kernels.levers.nests.places import SIZES
from kernels.levers.nests.runner import changed_names
from kernels.levers.nests.scopes import places_at
from kernels.levers.nests.site import NestLever, Site, Way
from kernels.levers.nests.strides import Access, accesses
from kernels.levers.nests.trace import trace
from kernels.levers.nests.updates import bare
from kernels.levers.scope import declared_inside
from kernels.levers.syntax import Edit, edited_text, identifiers, replace_node, text_of, walk
from kernels.levers.unit import Unit


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
        before, after, edits = "", "", list[Edit]()
        for k, held in enumerate(held_in(unit, site.loop)):
            name, place = f"kw_held_{number}_{k}" if k else f"kw_held_{number}", text_of(held.nodes[0])
            before += f"{'' if held.stored else 'const '}{held.element} {name} = {place};\n"
            after += f"{place} = {name};\n" if held.stored else ""
            edits += [replace_node(n, name) for n in held.nodes]
        return [replace_node(site.loop.node, f"{{\n{before}{edited_text(site.loop.node, edits)}\n{after}}}")]


def held_in(unit: Unit, loop: CountedLoop) -> list[Held]:
    """Elements that stand still in this loop, when the loop stores anything; none that another access may meet."""
    if any(n.type in ("preproc_if", "preproc_ifdef", "preproc_else") for n in walk(loop.body)):
        return []
    found = accesses(unit, loop)
    stored = {a.root for a in found if a.stored}
    if not stored or "" in stored:
        return []
    moving = declared_inside(loop.body) | {loop.variable} | changed_names(loop.body)
    still = [a for a in found if a.still and a.element in SIZES and not identifiers(a.node) & moving]
    groups: dict[str, list[Access]] = {}
    for access in still:
        groups.setdefault(bare(access.node), []).append(access)
    return [
        _held(g) for g in groups.values() if _alone(unit, loop, g, stored) and not _contains_load(g[0].node, stored)
    ]


def _held(group: Sequence[Access]) -> Held:
    return Held(tuple(a.node for a in group), group[0].element, any(a.stored for a in group))


def _contains_load(node: Node, stored: set[str]) -> bool:
    """Whether its place depends on an element that the loop may change."""
    return len([n for n in walk(node) if n.type == "identifier" and text_of(n) in stored]) > 1


def _alone(unit: Unit, loop: CountedLoop, group: Sequence[Access], stored: set[str]) -> bool:
    """Whether no other access of the loop meets the element, as far as the sampled turns show."""
    if group[0].root not in stored:
        return True
    try:
        place = places_at(unit, group[0].node).element(group[0].node)
        events = trace(unit, [loop.node])
    except Unsupported:
        return False
    own = {a.node.start_byte for a in group}
    return all(e.at in own for e in events if (e.root, e.offset) == (place.root, place.offset))
