"""The lever that runs an outer loop on the harness's thread pool: its body moves into a function of its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.interpreter import Interpreter
from kernels.levers.loops import CountedLoop, counted_loop, counted_loops, leaves_early
from kernels.levers.outline import before_function, capture, fresh_number, names_used
from kernels.levers.scope import declared_inside
from kernels.levers.sketches.method import fill
from kernels.levers.syntax import (
    apply_edits,
    enclosing,
    field,
    identifiers,
    named,
    parse_expression,
    replace_node,
    strip_parentheses,
    text_of,
    walk,
)
from kernels.levers.unit import Unit, function_name, unit_of
from kernels.values.candidate import Candidate

LEAST_WORK: Final = 4096  # iterations, inner loops included, below which waking the pool costs more than it gives
UNKNOWN_TRIP: Final = 256


@dataclass(frozen=True, slots=True)
class ThreadsLever:
    """kw_parallel_for over a loop whose iterations write different elements."""

    name: str = "threads"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        if context.machine.threads < 2 or context.spec.threads == "none":
            return []
        unit = unit_of(candidate.source)
        return [self._application(unit, site, loop) for site, loop in _sites(unit)]

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        unit = unit_of(candidate.source)
        loop = next((x for site, x in _sites(unit) if site == application.site), None)
        if loop is None:
            raise LeverDoesNotApply(f"no independent outer loop at {application.site}")
        return with_source(candidate, _rewritten(unit, loop))

    def _application(self, unit: Unit, site: str, loop: CountedLoop) -> Application:
        work = _work(unit, loop.node)
        return Application(
            self.name,
            self.family,
            {},
            site,
            f"iterations of the loop over {loop.variable} ({loop.trip}, about {work} steps) write different elements",
            "the time of that loop, by up to the number of threads",
        )


def _sites(unit: Unit) -> Iterator[tuple[str, CountedLoop]]:
    """Outermost loops that fit, with names that stay when other code changes."""
    count: dict[str, int] = {}
    for loop in counted_loops(unit.root):
        function = enclosing(loop.node, "function_definition")
        if function is None or enclosing(loop.node, "for_statement", "while_statement", "do_statement") is not None:
            continue
        name = function_name(function)
        site = f"{name}/{count.get(name, 0)}"
        count[name] = count.get(name, 0) + 1
        if not name.startswith("kw_") and not _called_in_loop(unit, name) and _independent(unit, function, loop):
            yield site, loop


def _called_in_loop(unit: Unit, name: str) -> bool:
    """Whether a loop calls the function: then the outer loop is the one to share out."""
    return any(
        text_of(target) == name and enclosing(node, "for_statement") is not None
        for node in walk(unit.root)
        if node.type == "call_expression" and (target := field(node, "function")) is not None
    )


def _independent(unit: Unit, function: Node, loop: CountedLoop) -> bool:
    if leaves_early(loop.body) or _work(unit, loop.node) < LEAST_WORK:
        return False
    try:
        capture(function, loop, names_used(loop.body))
    except LeverDoesNotApply:
        return False
    return _writes_own_elements(loop)


def _writes_own_elements(loop: CountedLoop) -> bool:
    """Whether every store to memory depends on the loop's variable or stays in a local of the iteration."""
    own = declared_inside(loop.body) | {loop.variable}
    for node in walk(loop.body):
        target = field(node, "left") if node.type == "assignment_expression" else None
        if node.type == "update_expression":
            target = field(node, "argument")
        target = strip_parentheses(target) if target is not None else None
        if target is None or target.type == "identifier":
            continue
        if not identifiers(target) & own or not _met_there_only(loop, target, own):
            return False
    return True


def _met_there_only(loop: CountedLoop, target: Node, own: set[str]) -> bool:
    """Whether the body touches the stored array at that element only."""
    root = target
    while root.type in ("subscript_expression", "parenthesized_expression"):
        root = field(root, "argument") or named(root)[0]
    name, text = text_of(root), text_of(target)
    if root.type != "identifier" or name in own:
        return True
    places = [n for n in walk(loop.body) if n.type == "subscript_expression" and text_of(n) == text]
    inside = sum(n.type == "identifier" and text_of(n) == name for n in walk(target))
    uses = sum(n.type == "identifier" and text_of(n) == name for n in walk(loop.body))
    return uses == len(places) * inside


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


def _rewritten(unit: Unit, loop: CountedLoop) -> str:
    function = enclosing(loop.node, "function_definition")
    if function is None:
        raise LeverDoesNotApply("a loop outside of a function")
    n = fresh_number(unit.source)
    lower = parse_expression(loop.lower)
    used = names_used(loop.body) | (identifiers(lower) if lower is not None else set())
    captured = capture(function, loop, used)
    start = "" if loop.lower == "0" else f"({loop.lower}) + "
    body = fill(
        "threads_body.c.in", n=n, members=captured.members or "    char nothing;\n", chunks=_chunks(_trip(unit, loop)),
        unpacked=captured.unpacked(captured.values), type=loop.type, variable=loop.variable, start=start,
        body=text_of(loop.body),
    )  # fmt: skip
    call = fill(
        "threads_call.c.in", n=n, values=", ".join(captured.values) or "0", trip=loop.trip
    )  # fmt: skip
    return apply_edits(unit.source, [before_function(function, body), replace_node(loop.node, call)])


def _chunks(trip: int) -> str:
    """0 and a few sizes that give each of many threads several shares."""
    sizes = sorted({max(1, trip >> shift) for shift in (9, 7, 5)})
    return " ".join(map(str, [0, *sizes]))
