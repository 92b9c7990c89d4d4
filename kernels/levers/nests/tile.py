"""The lever that runs a nest of two loops tile by tile, so that what a tile touches stays in a cache."""

from typing import ClassVar

from typing_extensions import override

from kernels.levers.abstract import Unsupported
from kernels.levers.base import Context, LeverDoesNotApply
from kernels.levers.loops import CountedLoop, leaves_early
from kernels.levers.nests.bodies import Body, body_of
from kernels.levers.nests.interchange import WHOLE, inner_loops, invariant
from kernels.levers.nests.linear import is_linear
from kernels.levers.nests.order import keeps_order
from kernels.levers.nests.runner import moving_names
from kernels.levers.nests.site import NestLever, Site, Way, knobs_before
from kernels.levers.nests.strides import accesses
from kernels.levers.nests.trace import Event, trace
from kernels.levers.sketches.method import Knob
from kernels.levers.syntax import Edit, edited_text, parse_expression, replace_node, text_of, walk
from kernels.levers.unit import Unit

ALL = 1 << 30
TILES = (16, 32, 64, 128, 256, 512, 1024)
OUTER = (8, 16, 32, 64, 128, 256, ALL)


class TileLever(NestLever):
    """for i { A; for j B; C } becomes for i A; for tiles of i, j { for i for j B }; for i C."""

    name: ClassVar[str] = "tile"
    expects: ClassVar[str] = "reads that go to memory again and again now, where a tile fits into a cache"

    @override
    def ways(self, unit: Unit, site: Site, context: Context) -> list[Way]:
        found = _inner(site.loop)
        if found is None or leaves_early(site.loop.body):
            return []
        number, inner = found
        if not _reuses(unit, site.loop, inner) or not _legal(unit, site.loop, number):
            return []
        try:
            body = body_of(site.loop, [number], 0)
            _ends(site.loop, inner)
        except LeverDoesNotApply:
            return []
        if body.expanded:
            return []
        return [Way({}, f"turns of {site.loop.variable} come back to what {inner.variable} walks over")]

    @override
    def edits(self, unit: Unit, site: Site, way: Way, number: int, context: Context) -> list[Edit]:
        found = _inner(site.loop)
        if found is None:
            raise LeverDoesNotApply(f"no loop inside of {site.name}")
        body = body_of(site.loop, [found[0]], number)
        parts = [_tiled(site.loop, g.loop, body, number) if g.loop else _whole(site.loop, body.text(g, "0"))
                 for g in body.groups]  # fmt: skip
        text = parts[0] if len(parts) == 1 else "{\n" + "\n".join(parts) + "\n}"
        knobs = (Knob("TILE", 256, TILES), Knob("OUTER", ALL, OUTER))
        return [knobs_before(site.function, number, *knobs), replace_node(site.loop.node, text)]


def _inner(loop: CountedLoop) -> tuple[int, CountedLoop] | None:
    """The only loop of the body."""
    found = inner_loops(loop)
    return found[0] if len(found) == 1 else None


def _reuses(unit: Unit, loop: CountedLoop, inner: CountedLoop) -> bool:
    """Whether a later turn of the outer loop meets an element, or a cache line, that the inner one walked over."""
    across, along = accesses(unit, loop, inner.body), accesses(unit, inner)
    for a, b in zip(across, along, strict=True):
        if (a.still and b.moves) or (a.moves and not a.jumps and b.moves and b.jumps):
            return True
    return False


def _legal(unit: Unit, loop: CountedLoop, number: int) -> bool:
    try:
        events = trace(unit, [loop.node])
    except Unsupported:
        return False
    return keeps_order(events, lambda e: tiled_key(e, WHOLE, 1, number))  # what tiles of any size and start keep


def tiled_key(event: Event, outer: int, tile: int, number: int) -> tuple[int, ...]:
    """The place of an access when statement `number`, a loop, is tiled together with the loop around it."""
    _, turn, statement, *rest = event.path
    if statement == number and rest:
        return 1, turn // outer, rest[0] // tile, turn, *rest
    return 0 if statement < number else 2, turn, statement, *rest


def _whole(loop: CountedLoop, text: str) -> str:
    name = loop.variable
    return f"for ({loop.type} {name} = {loop.lower}; {name} < {loop.upper}; {name}++) {{\n{text}\n}}"


def _tiled(loop: CountedLoop, inner: CountedLoop, body: Body, n: int) -> str:
    group = next(g for g in body.groups if g.loop is not None)
    first, last = _ends(loop, inner)
    outer = _tiles(loop.type, loop.lower, loop.upper, "outer", f"KW_TUNE_OUTER_{n}", n)
    tiles = _tiles(inner.type, first, last, "tile", f"KW_TUNE_TILE_{n}", n)
    name = loop.variable
    start, end = f"kw_tile_from_{n}", f"kw_tile_to_{n}"
    declared = ""
    if not invariant(loop, inner):
        declared = (
            f"const {inner.type} kw_low_{n} = ({inner.lower}) > {start} ? ({inner.lower}) : {start};\n"
            f"const {inner.type} kw_high_{n} = ({inner.upper}) < {end} ? ({inner.upper}) : {end};\n"
        )
        start, end = f"kw_low_{n}", f"kw_high_{n}"
    return (
        f"{outer}\n{tiles}\nfor ({loop.type} {name} = kw_outer_from_{n}; {name} < kw_outer_to_{n}; {name}++) {{\n"
        f"{declared}for ({inner.type} {inner.variable} = {start}; {inner.variable} < {end}; {inner.variable}++) {{\n"
        f"{body.inner(group, '0')}\n}}\n}}\n}}\n}}"
    )


def _tiles(kind: str, lower: str, upper: str, what: str, size: str, n: int) -> str:
    """The head of a loop over tiles of [lower, upper), and the ends of one tile."""
    count = f"(({upper}) - ({lower}) + {size} - 1) / {size}"
    start, end = f"kw_{what}_from_{n}", f"kw_{what}_to_{n}"
    return (
        f"for (int64_t kw_{what}_{n} = 0; kw_{what}_{n} < {count}; kw_{what}_{n}++) {{\n"
        f"const {kind} {start} = ({kind})(({lower}) + kw_{what}_{n} * {size});\n"
        f"const {kind} {end} = ({upper}) - {start} > {size} ? {start} + {size} : ({upper});"
    )


def _ends(loop: CountedLoop, inner: CountedLoop) -> tuple[str, str]:
    """C text of the lowest and the highest bound of the inner loop over all turns.

    Raises: LeverDoesNotApply when they do not grow evenly with the outer variable, or depend on what the body changes.
    """
    if invariant(loop, inner):
        return inner.lower, inner.upper
    if not all(is_linear(text, loop.variable, moving_names(loop)) for text in (inner.lower, inner.upper)):
        raise LeverDoesNotApply(f"bounds of {inner.variable} that do not grow evenly with {loop.variable}")
    last = f"(({loop.upper}) - 1)"
    lows = [_at(inner.lower, loop, value) for value in (f"({loop.lower})", last)]
    highs = [_at(inner.upper, loop, value) for value in (f"({loop.lower})", last)]
    return _chosen(lows, "<"), _chosen(highs, ">")


def _chosen(texts: list[str], operator: str) -> str:
    a, b = texts
    return a if a == b else f"(({a}) {operator} ({b}) ? ({a}) : ({b}))"


def _at(text: str, loop: CountedLoop, value: str) -> str:
    node = parse_expression(text)
    if node is None:
        raise LeverDoesNotApply(f"a bound that is no expression: {text}")
    edits = [replace_node(n, value) for n in walk(node) if n.type == "identifier" and text_of(n) == loop.variable]
    return edited_text(node, edits)
