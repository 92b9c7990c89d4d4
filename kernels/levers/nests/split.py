"""The lever that makes two loops of one, so that each can be handled in its own way."""

from typing import ClassVar

from typing_extensions import override

from kernels.levers.abstract import Unsupported
from kernels.levers.base import Context, LeverDoesNotApply
from kernels.levers.loops import CountedLoop, leaves_early
from kernels.levers.nests.bodies import body_of
from kernels.levers.nests.order import keeps_order
from kernels.levers.nests.site import NestLever, Site, Way
from kernels.levers.nests.trace import Event, trace
from kernels.levers.syntax import Edit, replace_node, statements, walk
from kernels.levers.unit import Unit

MOST = 3


class SplitLever(NestLever):
    """for i { A; B } becomes for i A; for i B."""

    name: ClassVar[str] = "split_loop"
    expects: ClassVar[str] = "little by itself; each half can be vectorised, exchanged or shared out in its own way"

    @override
    def ways(self, unit: Unit, site: Site, context: Context) -> list[Way]:
        if leaves_early(site.loop.body):
            return []
        fitting = [at for at in _cuts(site.loop) if _legal(unit, site.loop, at) and _possible(site.loop, at)]
        return [
            Way(
                {"at": at}, f"statements {at} and {at + 1} of the loop over {site.loop.variable} do not need each other"
            )
            for at in fitting[:MOST]
        ]

    @override
    def edits(self, unit: Unit, site: Site, way: Way, number: int, context: Context) -> list[Edit]:
        loop, at = site.loop, int(way.params["at"])
        body = _halves(loop, at, number)
        kind, name = loop.type, loop.variable
        head = f"for ({kind} {name} = {loop.lower}; {name} < {loop.upper}; {name}++)"
        text = "\n".join(f"{head} {{\n{part}\n}}" for part in body)
        block = loop.node.parent is not None and loop.node.parent.type == "compound_statement"
        return [replace_node(loop.node, text if block else f"{{\n{text}\n}}")]


def _cuts(loop: CountedLoop) -> list[int]:
    """Where the body can be cut: between its statements; in a body with loops, between two parts that hold one each."""
    inside = statements(loop.body)
    heavy = [any(n.type == "for_statement" for n in walk(s)) for s in inside]
    cuts = range(1, len(inside))
    if any(heavy):
        return [at for at in cuts if any(heavy[:at]) and any(heavy[at:]) and heavy[at - 1]]
    return [at for at in cuts if inside[at - 1].type != "declaration"]


def _legal(unit: Unit, loop: CountedLoop, at: int) -> bool:
    try:
        events = trace(unit, [loop.node])
    except Unsupported:
        return False
    return keeps_order(events, lambda e: split_key(e, at))


def split_key(event: Event, at: int) -> tuple[int, ...]:
    """The place of an access when all turns run the statements before `at` first."""
    return int(event.path[2] >= at), *event.path[1:]


def _possible(loop: CountedLoop, at: int) -> bool:
    try:
        return bool(_halves(loop, at, 0))
    except LeverDoesNotApply:
        return False


def _halves(loop: CountedLoop, at: int, number: int) -> list[str]:
    """The two bodies. Raises: LeverDoesNotApply when the second needs a value that the first computes."""
    inside = statements(loop.body)
    body = body_of(loop, [], number, cut=at)
    if body.expanded or len(body.groups) != 2 or len(inside) < 2:
        raise LeverDoesNotApply("the second half needs a value of the first")
    return [body.text(group, "0") for group in body.groups]
