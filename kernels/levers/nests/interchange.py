"""The lever that exchanges a loop and a loop inside of it, so that the innermost one walks memory in its order."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from tree_sitter import Node
from typing_extensions import override

from kernels.levers.abstract import Unsupported
from kernels.levers.base import Context, LeverDoesNotApply
from kernels.levers.loops import CountedLoop, counted_loop, leaves_early, stored_root
from kernels.levers.nests.bodies import Body, Group, body_of
from kernels.levers.nests.integers import integers_of
from kernels.levers.nests.order import carried, keeps_order
from kernels.levers.nests.runner import moving_names
from kernels.levers.nests.site import NestLever, Site, Way, head_text, knobs_before
from kernels.levers.nests.strides import accesses
from kernels.levers.nests.trace import Event, trace
from kernels.levers.sketches.method import Knob
from kernels.levers.syntax import Edit, names_in, replace_node, statements, walk
from kernels.levers.unit import Unit

WHOLE = 1 << 40
STRIPS = (16, 32, 64, 128, 256, 512, 1024, 2048)


class InterchangeLever(NestLever):
    """for j { A; for k B; C } becomes for j A; for k for j B; for j C, for all of j or for strips of it."""

    name: ClassVar[str] = "interchange"
    expects: ClassVar[str] = "the memory traffic of a walk across rows, by up to the elements of a cache line"

    @override
    def ways(self, unit: Unit, site: Site, context: Context) -> list[Way]:
        apart = _apart(unit, site.loop)
        if not apart or leaves_early(site.loop.body) or not _legal(unit, site.loop, apart):
            return []
        try:
            body_of(site.loop, apart, 0)
        except LeverDoesNotApply:
            return []
        inner = ", ".join(i.variable for n, i in inner_loops(site.loop) if n in apart)
        reason = f"the loop over {inner} inside of {site.loop.variable} walks across rows; exchanged, along them"
        return [Way({"strip": 0}, reason), Way({"strip": 1}, f"{reason}, in strips of {site.loop.variable}")]

    @override
    def edits(self, unit: Unit, site: Site, way: Way, number: int, context: Context) -> list[Edit]:
        loop = site.loop
        apart = _apart(unit, loop)
        body = body_of(loop, apart, number)
        free = {n for n in apart if turns_are_free(unit, loop, n)}
        if not way.params["strip"]:
            text = _swept(loop, body, loop.lower, loop.upper, free)
            arrays = body.arrays(_length(unit, loop))
            return [replace_node(loop.node, f"{{\n{arrays}{text}\n}}" if arrays or len(body.groups) > 1 else text)]
        knob = Knob("STRIP", 256, STRIPS)
        head, start, end = strips(loop, number, f"KW_TUNE_STRIP_{number}")
        text = f"{head}\n{body.arrays(f'KW_TUNE_STRIP_{number}')}{_swept(loop, body, start, end, free)}\n}}"
        return [knobs_before(site.function, number, knob), replace_node(loop.node, text)]


def _apart(unit: Unit, loop: CountedLoop) -> list[int]:
    """Numbers of the inner loops that can be exchanged and gain by it."""
    return [n for n, inner in inner_loops(loop) if invariant(loop, inner) and pays(unit, loop, inner)]


def inner_loops(loop: CountedLoop) -> list[tuple[int, CountedLoop]]:
    """Counted loops that are statements of the body and declare their variable, with their numbers."""
    found = [(n, counted_loop(s)) for n, s in enumerate(statements(loop.body))]
    return [(n, inner) for n, inner in found if inner is not None and inner.declared]


def invariant(loop: CountedLoop, inner: CountedLoop) -> bool:
    """Whether the inner loop has the same bounds in every turn."""
    read = names_in(inner.lower) | names_in(inner.upper)
    stored = {stored_root(n) for n in walk(loop.body)}
    return not read & (moving_names(loop) | stored)


def pays(unit: Unit, loop: CountedLoop, inner: CountedLoop) -> bool:
    """Whether fewer accesses jump when the outer variable runs innermost."""
    now = sum(a.jumps for a in accesses(unit, inner))
    then = sum(a.jumps for a in accesses(unit, loop, inner.body))
    return then < now


def _legal(unit: Unit, loop: CountedLoop, apart: Sequence[int]) -> bool:
    try:
        events = trace(unit, [loop.node])
    except Unsupported:
        return False
    return all(keeps_order(events, lambda e, strip=strip: swept_key(e, strip, apart)) for strip in (2, WHOLE))


def swept_key(event: Event, strip: int, apart: Sequence[int]) -> tuple[int, ...]:
    """The place of an access when each strip of turns runs group by group, the loops `apart` with the turns inside."""
    _, turn, statement, *rest = event.path
    group = 2 * sum(a < statement for a in apart) + (statement in apart)
    if statement in apart and rest:
        return turn // strip, group, rest[0], turn, *rest[1:]
    return turn // strip, group, turn, statement, *rest


def turns_are_free(unit: Unit, loop: CountedLoop, number: int, below: int = WHOLE) -> bool:
    """Whether the turns of the outer loop touch different elements within one turn, lower than `below`, of the inner
    loop, which is statement `number`."""
    try:
        events = trace(unit, [loop.node])
    except Unsupported:
        return False
    inside = [e for e in events if e.path[2] == number and len(e.path) > 4 and e.path[3] < below]
    moved = [replace(e, path=(number, e.path[3], 0, e.path[1], *e.path[4:])) for e in inside]
    return carried(moved, level=1).nothing


def strips(loop: CountedLoop, number: int, width: str) -> tuple[str, str, str]:
    """The head of a loop over strips up to its declarations, first and end of one strip."""
    start, end = f"kw_from_{number}", f"kw_to_{number}"
    count = f"({loop.trip} + {width} - 1) / {width}"
    kind, upper = loop.type, loop.upper
    return (
        f"for (int64_t kw_strip_{number} = 0; kw_strip_{number} < {count}; kw_strip_{number}++) {{\n"
        f"const {kind} {start} = ({kind})(({loop.lower}) + kw_strip_{number} * {width});\n"
        f"const {kind} {end} = {start} + {width} < {upper} ? {start} + {width} : {upper};",
        start,
        end,
    )


def _length(unit: Unit, loop: CountedLoop) -> str:
    """C text of the number of iterations as the length of an array, which may not be 0."""
    try:
        return loop.trip if integers_of(unit.source).text(loop.trip, {}) > 0 else "1"
    except Unsupported:
        return f"{loop.trip} > 0 ? {loop.trip} : 1"


def _swept(loop: CountedLoop, body: Body, start: str, end: str, free: set[int]) -> str:
    index = loop.variable if start == "0" else f"{loop.variable} - ({start})"
    return "\n".join(_sweep(loop, body, g, start, end, index, free) for g in body.groups)


def _sweep(loop: CountedLoop, body: Body, group: Group, start: str, end: str, index: str, free: set[int]) -> str:
    kind, name = loop.type, loop.variable
    turns = f"for ({kind} {name} = {start}; {name} < {end}; {name}++)"
    if group.loop is None:
        return f"{turns} {{\n{body.text(group, index)}\n}}"
    inner: Node = group.loop.body
    hint = "#pragma GCC ivdep\n" if group.numbers[0] in free and not _holds_loop(inner) else ""
    return f"{head_text(group.loop.node, inner)} {{\n{hint}{turns} {{\n{body.inner(group, index)}\n}}\n}}"


def _holds_loop(node: Node) -> bool:
    return any(n.type == "for_statement" for n in walk(node))
