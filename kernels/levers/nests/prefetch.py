"""The lever that asks for the memory that an inner loop will need a while later."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from kernels.levers.base import Context
from kernels.levers.loops import CountedLoop, leaves_early
from kernels.levers.nests.interchange import strips
from kernels.levers.nests.places import SIZES
from kernels.levers.nests.runner import moving_names
from kernels.levers.nests.site import NestLever, Site, Way, knobs_before
from kernels.levers.nests.strides import Access, accesses, moved
from kernels.levers.nests.updates import bare
from kernels.levers.sketches.method import HINTS, Knob
from kernels.levers.syntax import Edit, identifiers, replace_node, statements, text_of, walk
from kernels.levers.unit import Unit

LINE = 64
LINES = 4  # of one stream between two requests
DISTANCES = (0, 256, 512, 1024, 2048, 4096, 8192)
AHEAD = (0, 2, 4, 8, 16, 32, 64)
MOST = 4


class PrefetchLever(NestLever):
    """Streams are asked for by the line, in strips of the loop; accesses that jump, in every turn."""

    name: ClassVar[str] = "prefetch"
    expects: ClassVar[str] = "waiting for memory, where the processor does not foresee the walk"

    @override
    def ways(self, unit: Unit, site: Site, context: Context) -> list[Way]:
        loop = site.loop
        if leaves_early(loop.body) or any(n.type == "for_statement" for n in walk(loop.body)):
            return []
        if any("prefetch" in text_of(s) for s in statements(loop.body)):
            return []
        jumping, flowing = _streams(unit, loop)
        ways = [Way({"by": "turn"}, f"{_names(jumping)} jumps from line to line")] if jumping else []
        return ways + ([Way({"by": "line"}, f"{_names(flowing)} is read from end to end")] if flowing else [])

    @override
    def edits(self, unit: Unit, site: Site, way: Way, number: int, context: Context) -> list[Edit]:
        jumping, flowing = _streams(unit, site.loop)
        if way.params["by"] == "turn":
            knobs = (Knob("AHEAD", 8, AHEAD), Knob("HINT", 3, HINTS))
            text = _every_turn(site.loop, jumping, number)
        else:
            knobs = (Knob("PREFETCH", 1024, DISTANCES), Knob("HINT", 3, HINTS))
            text = _every_strip(site.loop, flowing, number)
        return [knobs_before(site.function, number, *knobs), replace_node(site.loop.node, text)]


def _streams(unit: Unit, loop: CountedLoop) -> tuple[list[Access], list[Access]]:
    """Reads that jump over lines, and reads of neighbouring elements; one of each text."""
    moving = moving_names(loop) - {loop.variable}
    found = {
        bare(a.node): a for a in accesses(unit, loop)
        if a.moves and a.element in SIZES and not a.stored and not identifiers(a.node) & moving
    }  # fmt: skip
    jumping = [a for a in found.values() if abs(a.stride or 0) * SIZES[a.element] >= LINE]
    flowing = [a for a in found.values() if a.stride == 1]
    return jumping[:MOST], flowing[:MOST]


def _names(streams: Sequence[Access]) -> str:
    return ", ".join(text_of(a.node) for a in streams)


def _every_turn(loop: CountedLoop, streams: Sequence[Access], n: int) -> str:
    lines = []
    for access in streams:
        here, there = text_of(access.node), moved(access.node, loop, f"({loop.variable} + 1)")
        step = f"((const char *)&{there} - (const char *)&{here})"
        lines.append(
            f"if (KW_TUNE_AHEAD_{n}) "
            f"__builtin_prefetch((const char *)&{here} + KW_TUNE_AHEAD_{n} * {step}, 0, KW_TUNE_HINT_{n});"
        )
    body = "\n".join([*lines, *(text_of(s) for s in statements(loop.body))])
    head = f"for ({loop.type} {loop.variable} = {loop.lower}; {loop.variable} < {loop.upper}; {loop.variable}++)"
    return f"{head} {{\n{body}\n}}"


def _every_strip(loop: CountedLoop, streams: Sequence[Access], n: int) -> str:
    width = LINES * LINE // max(SIZES[a.element] for a in streams)
    head, start, end = strips(loop, n, str(width))
    lines = []
    for access in streams:
        place = moved(access.node, loop, start)
        span = width * SIZES[access.element]
        lines.append(
            f"for (int kw_line_{n} = 0; kw_line_{n} < {span}; kw_line_{n} += {LINE}) "
            f"__builtin_prefetch((const char *)&{place} + KW_TUNE_PREFETCH_{n} + kw_line_{n}, 0, KW_TUNE_HINT_{n});"
        )
    asked = "\n".join(lines)
    turns = f"for ({loop.type} {loop.variable} = {start}; {loop.variable} < {end}; {loop.variable}++)"
    return f"{head}\nif (KW_TUNE_PREFETCH_{n}) {{\n{asked}\n}}\n{turns} {text_of(loop.body)}\n}}"
