"""The lever that exchanges a loop and an inner loop that grows with it: what all turns of a strip share runs first.

In `for j { A; for (k = 0; k < j; k++) B; C }` the turns of a strip of j all run k up to the strip's first bound. That
part is exchanged, `for k for j B`; then each turn runs the rest. It fits recurrences over intervals and triangular
systems.
"""

from collections.abc import Callable
from typing import ClassVar

from typing_extensions import override

from kernels.levers.abstract import Unsupported
from kernels.levers.base import Context, LeverDoesNotApply
from kernels.levers.loops import CountedLoop, leaves_early
from kernels.levers.nests.bodies import body_of
from kernels.levers.nests.integers import integers_of
from kernels.levers.nests.interchange import STRIPS, inner_loops, pays, strips, turns_are_free
from kernels.levers.nests.linear import is_linear
from kernels.levers.nests.order import keeps_order
from kernels.levers.nests.runner import moving_names
from kernels.levers.nests.scopes import places_at
from kernels.levers.nests.site import NestLever, Site, Way, knobs_before
from kernels.levers.nests.trace import Event, trace
from kernels.levers.scope import declared_inside
from kernels.levers.sketches.method import Knob
from kernels.levers.syntax import (
    Edit,
    edited_text,
    identifiers,
    names_in,
    parse_expression,
    replace_node,
    statements,
    text_of,
    walk,
)
from kernels.levers.unit import Unit


class PrefixLever(NestLever):
    """Strips of j: `for k` up to the strip's first bound, `for j` inside; then the rest of each turn."""

    name: ClassVar[str] = "interchange_prefix"
    expects: ClassVar[str] = "walks across rows in the inner loop, which become walks along rows"

    @override
    def ways(self, unit: Unit, site: Site, context: Context) -> list[Way]:
        found = _growing(unit, site.loop)
        if found is None or leaves_early(site.loop.body):
            return []
        number, inner = found
        reason = f"all turns of a strip of {site.loop.variable} share the first turns of {inner.variable}"
        return [
            Way({"first": first}, reason) for first in (number, 0) if _legal(unit, site.loop, number, inner, first)
        ][:1]

    @override
    def edits(self, unit: Unit, site: Site, way: Way, number: int, context: Context) -> list[Edit]:
        loop, found = site.loop, _growing(unit, site.loop)
        if found is None:
            raise LeverDoesNotApply(f"no loop that grows with {loop.variable}")
        place, inner = found
        first = int(way.params["first"])
        head, start, end = strips(loop, number, f"KW_TUNE_STRIP_{number}")
        turns = f"for ({loop.type} {loop.variable} = {start}; {loop.variable} < {end}; {loop.variable}++)"
        shared = f"kw_shared_{number}"
        hint = "#pragma GCC ivdep\n" if _free(unit, loop, place, inner) else ""
        inside = statements(loop.body)
        early = "\n".join(text_of(s) for s in inside[:first])
        k = inner.variable
        rest = (
            f"for ({inner.type} {k} = ({inner.lower}) > {shared} ? ({inner.lower}) : {shared}; "
            f"{k} < {inner.upper}; {k}++) {text_of(inner.body)}"
        )
        late = "\n".join([*(text_of(s) for s in inside[first:place]), rest, *(text_of(s) for s in inside[place + 1 :])])
        text = (
            f"{head}\nconst {inner.type} {shared} = {_at(inner.upper, loop, start)};\n"
            + (f"{turns} {{\n{early}\n}}\n" if early else "")
            + f"for ({inner.type} {k} = {inner.lower}; {k} < {shared}; {k}++) {{\n"
            f"{hint}{turns} {text_of(inner.body)}\n}}\n{turns} {{\n{late}\n}}\n}}"
        )
        return [knobs_before(site.function, number, Knob("STRIP", 64, STRIPS)), replace_node(loop.node, text)]


def _growing(unit: Unit, loop: CountedLoop) -> tuple[int, CountedLoop] | None:
    """The only inner loop, when only its upper bound depends on the outer variable and an exchange would pay."""
    found = inner_loops(loop)
    if len(found) != 1:
        return None
    number, inner = found[0]
    inside = declared_inside(loop.body)
    lower, upper = (names_in(text) for text in (inner.lower, inner.upper))
    moving = moving_names(loop)
    fits = loop.variable in upper and not lower & moving and is_linear(inner.upper, loop.variable, moving)
    if not fits or inside & identifiers(inner.body) - {inner.variable} - declared_inside(inner.node):
        return None
    if "for_statement" in {n.type for n in walk(inner.body)} or not pays(unit, loop, inner):
        return None
    return number, inner


def _legal(unit: Unit, loop: CountedLoop, number: int, inner: CountedLoop, first: int) -> bool:
    try:
        body_of(loop, [number], 0)
        events = trace(unit, [loop.node])
        bound = _bound(unit, loop, inner)
        steps = [bound(v + 1) - bound(v) for v in (0, 1, 40)]
    except (Unsupported, LeverDoesNotApply):
        return False
    if min(steps) < 0:
        return False
    low = min((e.path[1] for e in events), default=0)
    return all(keeps_order(events, _key(number, first, strip, low, bound)) for strip in (2, 3, *STRIPS))


def _free(unit: Unit, loop: CountedLoop, number: int, inner: CountedLoop) -> bool:
    """Whether turns of a strip touch different elements in the shared part."""
    try:
        lowest = min((e.path[1] for e in trace(unit, [loop.node])), default=0)
        return turns_are_free(unit, loop, number, _bound(unit, loop, inner)(lowest + STRIPS[0]))
    except Unsupported:
        return False


def _bound(unit: Unit, loop: CountedLoop, inner: CountedLoop) -> Callable[[int], int]:
    """The inner loop's upper bound by the value of the outer variable."""
    integers, values = integers_of(unit.source), places_at(unit, inner.node).values
    return lambda value: integers.text(inner.upper, {**values, loop.variable: value})


def _key(
    number: int, first: int, strip: int, low: int, bound: Callable[[int], int]
) -> Callable[[Event], tuple[int, ...]]:
    def key(event: Event) -> tuple[int, ...]:
        _, turn, statement, *rest = event.path
        block = (turn - low) // strip
        if statement < first:
            return block, 0, turn, statement, *rest
        if statement == number and rest and rest[0] < bound(low + block * strip):
            return block, 1, rest[0], turn, *rest[1:]
        return block, 2, turn, statement, *rest

    return key


def _at(text: str, loop: CountedLoop, value: str) -> str:
    node = parse_expression(text)
    if node is None:
        return text
    edits = [replace_node(n, value) for n in walk(node) if n.type == "identifier" and text_of(n) == loop.variable]
    return edited_text(node, edits)
