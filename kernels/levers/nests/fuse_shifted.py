"""The lever that joins two neighbouring loops when the second may follow the first a few turns behind."""

from itertools import pairwise
from typing import ClassVar

from tree_sitter import Node
from typing_extensions import override

from kernels.levers.abstract import Unsupported
from kernels.levers.base import Context, LeverDoesNotApply
from kernels.levers.fuse import renamed_in, same_range
from kernels.levers.loops import CountedLoop, counted_loop
from kernels.levers.nests.order import keeps_order
from kernels.levers.nests.site import NestLever, Site, Way
from kernels.levers.nests.trace import Event, trace
from kernels.levers.syntax import Edit, replace_node, same, statements, text_of, walk
from kernels.levers.unit import Unit

SHIFTS = (1, 2, 3)


class FuseShiftedLever(NestLever):
    """for i A(i); for i B(i) becomes A(first); for i { A(i); B(i - 1) }; B(last): the elements between stay near."""

    name: ClassVar[str] = "fuse_shifted"
    expects: ClassVar[str] = "one pass over what both loops touch, instead of two; threads can no longer share it"

    @override
    def ways(self, unit: Unit, site: Site, context: Context) -> list[Way]:
        second = _next(site.loop)
        if second is None or not same_range(site.loop, second) or not _is_nest(site.loop):
            return []
        try:
            events = trace(unit, [site.loop.node, second.node])
        except Unsupported:
            return []
        fitting = [s for s in (0, *SHIFTS) if keeps_order(events, lambda e, s=s: shifted_key(e, s))]
        reason = f"the loop over {second.variable} can follow the one over {site.loop.variable} before it"
        return [Way({"shift": fitting[0]}, f"{reason}, {fitting[0]} turns behind")] if fitting and fitting[0] else []

    @override
    def edits(self, unit: Unit, site: Site, way: Way, number: int, context: Context) -> list[Edit]:
        first, second = site.loop, _next(site.loop)
        if second is None:
            raise LeverDoesNotApply(f"no loop behind {site.name}")
        shift, late = int(way.params["shift"]), f"kw_late_{number}"
        kind, name, low, high = first.type, first.variable, f"({first.lower})", f"({first.upper})"
        behind = "\n".join(renamed_in(s, {second.variable: late}) for s in statements(second.body))
        ahead = "\n".join(text_of(s) for s in statements(first.body))
        text = (
            f"for ({kind} {name} = {low}; {name} < {high} && {name} < {low} + {shift}; {name}++) {{\n{ahead}\n}}\n"
            f"for ({kind} {name} = {low} + {shift}; {name} < {high}; {name}++) {{\n{ahead}\n"
            f"{{\nconst {kind} {late} = {name} - {shift};\n{behind}\n}}\n}}\n"
            f"for ({kind} {late} = {high} - {low} > {shift} ? {high} - {shift} : {low}; {late} < {high}; {late}++) "
            f"{{\n{behind}\n}}"
        )
        return [replace_node(first.node, text), replace_node(second.node, "")]


def shifted_key(event: Event, shift: int) -> tuple[int, ...]:
    """The place of an access when the second loop runs `shift` turns behind the first."""
    statement, turn, *rest = event.path
    return turn + shift * statement, statement, *rest


def _next(loop: CountedLoop) -> CountedLoop | None:
    """The loop that is the next statement of the same block."""
    block = loop.node.parent
    around = statements(block) if block is not None and block.type == "compound_statement" else list[Node]()
    for one, other in pairwise(around):
        if same(one, loop.node):
            return counted_loop(other)
    return None


def _is_nest(loop: CountedLoop) -> bool:
    """Whether a turn is long enough for the few extra ones to be cheap."""
    return any(n.type == "for_statement" for n in walk(loop.body))
