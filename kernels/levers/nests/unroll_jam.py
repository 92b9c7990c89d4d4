"""The lever that runs several turns of an outer loop at once inside of its inner loops, so that they share loads."""

from collections.abc import Mapping
from typing import ClassVar

from typing_extensions import override

from kernels.levers.abstract import Unsupported
from kernels.levers.base import Context, LeverDoesNotApply
from kernels.levers.loops import CountedLoop, leaves_early
from kernels.levers.nests.bodies import Body, Group, body_of
from kernels.levers.nests.interchange import inner_loops, invariant
from kernels.levers.nests.order import keeps_order
from kernels.levers.nests.site import NestLever, Site, Way, head_text, knobs_before
from kernels.levers.nests.strides import Access, accesses
from kernels.levers.nests.trace import Event, trace
from kernels.levers.sketches.method import Knob
from kernels.levers.syntax import Edit, replace_node, text_of
from kernels.levers.unit import Unit

JAMS = (2, 4, 8)


class Jam(dict[int, "Jam"]):
    """The loops of a body that are jammed, by number of the statement, with those inside of them."""


class UnrollJamLever(NestLever):
    """for i for j A becomes for blocks of i for j, with A for every i of the block inside."""

    name: ClassVar[str] = "unroll_jam"
    expects: ClassVar[str] = "loads that several turns share: up to that many fewer of them"

    @override
    def ways(self, unit: Unit, site: Site, context: Context) -> list[Way]:
        loop, jam = site.loop, jam_of(site.loop, site.loop)
        if not jam or leaves_early(loop.body) or not _shares(unit, loop, jam) or not _legal(unit, loop, jam):
            return []
        try:
            _jammed(loop, body_of(loop, jam, 0), jam, loop, 0)
        except LeverDoesNotApply:
            return []
        return [Way({}, f"neighbouring turns of {loop.variable} read the same elements in their inner loops")]

    @override
    def edits(self, unit: Unit, site: Site, way: Way, number: int, context: Context) -> list[Edit]:
        loop, jam = site.loop, jam_of(site.loop, site.loop)
        kind, name, n = loop.type, loop.variable, number
        inside = _jammed(loop, body_of(loop, jam, n), jam, loop, n)
        text = (
            f"{{\nconst int64_t kw_blocks_{n} = ({loop.trip} > 0 ? {loop.trip} : 0) / KW_TUNE_JAM_{n};\n"
            f"for (int64_t kw_block_{n} = 0; kw_block_{n} < kw_blocks_{n}; kw_block_{n}++) {{\n"
            f"const {kind} kw_first_{n} = ({kind})(({loop.lower}) + kw_block_{n} * KW_TUNE_JAM_{n});\n{inside}\n}}\n"
            f"for ({kind} {name} = ({kind})(({loop.lower}) + kw_blocks_{n} * KW_TUNE_JAM_{n}); "
            f"{name} < {loop.upper}; {name}++) {text_of(loop.body)}\n}}"
        )
        return [knobs_before(site.function, n, Knob("JAM", 4, JAMS)), replace_node(loop.node, text)]


def jam_of(loop: CountedLoop, within: CountedLoop) -> Jam:
    """The loops in the body of `within` whose bounds do not depend on `loop`, and those in them."""
    return Jam({n: jam_of(loop, i) for n, i in inner_loops(within) if invariant(loop, i) and invariant(within, i)})


def _shares(unit: Unit, loop: CountedLoop, jam: Mapping[int, "Jam"]) -> bool:
    """Whether an inner loop walks over elements that do not depend on the outer one, or meets an array twice."""
    for number, inner in inner_loops(loop):
        if number not in jam:
            continue
        across, along = accesses(unit, loop, inner.body), accesses(unit, inner)
        if any(_shared(a, b) for a, b in zip(across, along, strict=True)):
            return True
        reads = [a for a in across if not a.stored and a.root and a.moves]
        if any(a.root == b.root and text_of(a.node) != text_of(b.node) for a in reads for b in reads):
            return True
    return False


def _shared(across: Access, along: Access) -> bool:
    return across.still and not along.still


def _legal(unit: Unit, loop: CountedLoop, jam: Jam) -> bool:
    try:
        events = trace(unit, [loop.node])
    except Unsupported:
        return False
    return all(keeps_order(events, lambda e, n=n: jammed_key(e, n, jam)) for n in (2, 3, *JAMS))


def jammed_key(event: Event, count: int, jam: Jam) -> tuple[int, ...]:
    """The place of an access when `count` turns run together."""
    _, turn, *path = event.path
    key, at = [turn // count], 0
    while at < len(path):
        number = path[at]
        key.append(2 * sum(n < number for n in jam) + (number in jam))
        if number not in jam or at + 1 == len(path):
            break
        key.append(path[at + 1])
        jam = jam[number]
        at += 2
    return (*key, turn, *path[at:])


def _jammed(loop: CountedLoop, body: Body, jam: Jam, within: CountedLoop, n: int) -> str:
    arrays = body.arrays(f"KW_TUNE_JAM_{n}" if n else "1")
    return arrays + "\n".join(_part(loop, body, g, jam, within, n) for g in body.groups)


def _part(loop: CountedLoop, body: Body, group: Group, jam: Jam, within: CountedLoop, n: int) -> str:
    inner = group.loop
    if inner is not None:
        deeper = jam[group.numbers[0]]
        inside = _jammed(loop, body_of(inner, deeper, n, body), deeper, inner, n)
        return f"{head_text(inner.node, inner.body)} {{\n{inside}\n}}"
    return (
        f"#pragma GCC unroll 8\nfor (int kw_u_{n} = 0; kw_u_{n} < KW_TUNE_JAM_{n}; kw_u_{n}++) {{\n"
        f"const {loop.type} {loop.variable} = ({loop.type})(kw_first_{n} + kw_u_{n});\n"
        f"{body.text(group, f'kw_u_{n}')}\n}}"
    )
