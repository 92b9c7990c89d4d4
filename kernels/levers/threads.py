"""The lever that runs an outer loop on the harness's thread pool: its body moves into a function of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.effects import behind
from kernels.levers.interpreter import Interpreter
from kernels.levers.loops import CountedLoop, counted_loop, counted_loops
from kernels.levers.outline import before_function, capture, fresh_number, names_used
from kernels.levers.partials import Partials
from kernels.levers.sharing import Sum, shared_sums
from kernels.levers.sketches.method import fill
from kernels.levers.syntax import (
    Edit,
    apply_edits,
    enclosing,
    identifiers,
    parse_expression,
    text_of,
    walk,
)
from kernels.levers.tidy import hint_start, indented, moved
from kernels.levers.unit import Unit, function_name, unit_of
from kernels.levers.uses import called_in_loop
from kernels.values.candidate import Candidate

LEAST_WORK: Final = 4096  # iterations, inner loops included, below which waking the pool costs more than it gives
UNKNOWN_TRIP: Final = 256
BLOCKS: Final = ("kw_strip_", "kw_outer_", "kw_tile_", "kw_block_")  # loops that other levers add and that hold work


@dataclass(frozen=True, slots=True)
class ThreadsLever:
    """kw_parallel_for over a loop whose iterations write different elements, or only add to the same ones."""

    name: str = "threads"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        if context.machine.threads < 2 or context.spec.threads == "none":
            return []
        unit = unit_of(candidate.source)
        return [self._application(unit, site, loop, sums) for site, loop, sums in _sites(unit, context)]

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        unit = unit_of(candidate.source)
        found = next(((x, sums) for site, x, sums in _sites(unit, context) if site == application.site), None)
        if found is None:
            raise LeverDoesNotApply(f"no loop at {application.site} whose turns could be shared out")
        return with_source(candidate, _rewritten(unit, *found))

    def _application(self, unit: Unit, site: str, loop: CountedLoop, sums: Sequence[Sum]) -> Application:
        work = _work(unit, loop.node)
        names = ", ".join(s.variable.name for s in sums)
        how = f"only add to {names}, which each thread can sum for itself" if sums else "write different elements"
        return Application(
            self.name,
            self.family,
            {},
            site,
            f"iterations of the loop over {loop.variable} ({loop.trip}, about {work} steps) {how}",
            "the time of that loop, by up to the number of threads",
        )


def _sites(unit: Unit, context: Context) -> Iterator[tuple[str, CountedLoop, tuple[Sum, ...]]]:
    """Outermost loops that fit, with names that stay when other code changes; where one does not fit, those inside."""
    count: dict[str, int] = {}
    for loop in counted_loops(unit.root):
        function = enclosing(loop.node, "function_definition")
        if function is None or enclosing(loop.node, "for_statement", "while_statement", "do_statement") is not None:
            continue
        name = function_name(function)
        site = f"{name}/{count.get(name, 0)}"
        count[name] = count.get(name, 0) + 1
        generated = loop.variable.startswith("kw_") and not loop.variable.startswith(BLOCKS)
        if loop.declared and not name.startswith("kw_") and not generated and not called_in_loop(unit, name):
            yield from _fitting(unit, function, loop, site, context)


def _fitting(
    unit: Unit, function: Node, loop: CountedLoop, site: str, context: Context
) -> Iterator[tuple[str, CountedLoop, tuple[Sum, ...]]]:
    if _work(unit, loop.node) < LEAST_WORK:
        return
    sums = shared_sums(unit, function, loop, context)
    if sums is not None:
        yield site, loop, sums
        return
    inner = [n for n in walk(loop.body) if enclosing(n, "for_statement") == loop.node and n.type == "for_statement"]
    for number, node in enumerate(inner):
        found = counted_loop(node)
        if found is not None and found.declared:
            yield from _fitting(unit, function, found, f"{site}/{number}", context)


def _work(unit: Unit, node: Node) -> int:
    """Estimated steps: product of trip counts along the deepest nest below the node."""
    loop = counted_loop(node) if node.type == "for_statement" else None
    below = [_work(unit, child) for child in node.children]
    inner = max(below, default=1)
    return inner * (_trip(unit, loop) if loop is not None else 1)


def _trip(unit: Unit, loop: CountedLoop) -> int:
    node = parse_expression(loop.trip)
    try:
        value = Interpreter(unit, {}).evaluate(node) if node is not None else UNKNOWN_TRIP
    except Unsupported:
        return UNKNOWN_TRIP
    return max(1, int(value)) if isinstance(value, int | float) else UNKNOWN_TRIP


def _rewritten(unit: Unit, loop: CountedLoop, sums: Sequence[Sum]) -> str:
    function = enclosing(loop.node, "function_definition")
    if function is None:
        raise LeverDoesNotApply("a loop outside of a function")
    n = fresh_number(unit.source)
    lower = parse_expression(loop.lower)
    used = behind(unit.source, names_used(loop.body) | (identifiers(lower) if lower is not None else set()))
    captured = capture(function, loop, used, summed=[s.variable.name for s in sums])
    partial = Partials(sums, n)
    parameters = [*(v.as_parameter for v in captured.variables), *partial.parameters]
    arguments = [*captured.names, *partial.arguments]
    start = "" if loop.lower == "0" else f"({loop.lower}) + "
    body = fill(
        "threads_body.c.in", n=n, members=captured.members + partial.members or "    char nothing;\n",
        chunks=_chunks(_trip(unit, loop)), unpacked=captured.unpacked(captured.names), type=loop.type,
        variable=loop.variable, start=start, body=moved(text_of(loop.body), _column(loop.node), 4),
        parameters="".join(f"{p}, " for p in parameters), arguments="".join(f"{a}, " for a in arguments),
        before=partial.before, after=partial.after,
    )  # fmt: skip
    call = fill(
        "threads_call.c.in", n=n, values=", ".join([*captured.values, *partial.values]) or "0", trip=loop.trip,
        sums=partial.declared, added=partial.added,
    )  # fmt: skip
    raw, node = unit.source.encode(), loop.node
    replaced = Edit(hint_start(raw, node.start_byte), node.end_byte, indented(call.rstrip(), _column(node)))
    return apply_edits(unit.source, [before_function(function, body), replaced])


def _column(node: Node) -> int:
    return node.start_point[1]


def _chunks(trip: int) -> str:
    """0 and a few sizes that give each of many threads several shares."""
    sizes = sorted({max(1, trip >> shift) for shift in (9, 7, 5)})
    return " ".join(map(str, [0, *sizes]))
