"""A lever that asks the compiler to unroll an innermost loop, by an attribute of OpenCL C, how often as a knob."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.loops import counted_loop
from kernels.levers.opencl_c.masked import masked
from kernels.levers.opencl_c.texts import line_start
from kernels.levers.outline import fresh_number
from kernels.levers.sketches.method import Knob
from kernels.levers.syntax import Edit, apply_edits, enclosing, parse, walk
from kernels.levers.unit import function_name
from kernels.values.candidate import Candidate

CHOICES: Final = (1, 2, 4, 8, 16)
HINT: Final = "opencl_unroll_hint"


@dataclass(frozen=True, slots=True)
class UnrollLever:
    name: str = "opencl_unroll"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        expects = "fewer branches and more independent loads in flight in that loop"
        return [
            Application(self.name, self.family, {"unroll": 4}, site, "an innermost loop of work-items", expects)
            for site, _, _ in _loops(candidate.source)
        ]

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        source = candidate.source
        place = next(((f, loop) for site, f, loop in _loops(source) if site == application.site), None)
        if place is None:
            raise LeverDoesNotApply(f"no innermost loop at {application.site} that has no hint yet")
        n, at = fresh_number(source), line_start(source, place[0].start_byte)
        knob = Knob("UNROLL", int(application.params["unroll"]), CHOICES).line(n)
        hint = f"__attribute__(({HINT}(KW_TUNE_UNROLL_{n}))) "
        start = place[1].start_byte
        return with_source(candidate, apply_edits(source, [Edit(at, at, knob), Edit(start, start, hint)]))


def _loops(source: str) -> Iterator[tuple[str, Node, Node]]:
    """(function/number, function, loop) of every innermost counted loop that no hint stands before."""
    count: dict[str, int] = {}
    raw = source.encode()
    for node in walk(parse(masked(source))):
        function = enclosing(node, "function_definition") if node.type == "for_statement" else None
        if function is None or counted_loop(node) is None or sum(n.type == "for_statement" for n in walk(node)) > 1:
            continue
        name = function_name(function)
        number = count.get(name, 0)
        count[name] = number + 1
        if not raw[: node.start_byte].rstrip().endswith(b")))"):
            yield f"{name}/{number}", function, node
