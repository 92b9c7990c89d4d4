"""Loops by name, and what the levers for them share."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from tree_sitter import Node

from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.loops import CountedLoop, counted_loop
from kernels.levers.outline import before_function, fresh_number
from kernels.levers.sketches.method import Knob
from kernels.levers.syntax import Edit, apply_edits, in_fallback, walk
from kernels.levers.tidy import hint_start, indented
from kernels.levers.unit import Unit, function_name, unit_of
from kernels.values.candidate import Candidate

GENERATED = "kw_"
OUTLINED = "kw_body_"  # functions that hold loops of the source, as a pool's body does


@dataclass(frozen=True)
class Site:
    """One counted loop. name: function and number of the for statement in it."""

    name: str
    function: Node
    loop: CountedLoop


@dataclass(frozen=True, slots=True)
class Way:
    """One way to apply a lever at a loop."""

    params: Mapping[str, str | int | float]
    reason: str


def sites(unit: Unit) -> Iterator[Site]:
    """Counted loops that declare their variable, which nothing can read behind them, outer before inner; none that
    generated code adds or a design keeps as its fallback."""
    for function in unit.functions.values():
        name = function_name(function)
        if name.startswith(GENERATED) and not name.startswith(OUTLINED):
            continue
        heads = [n for n in walk(function) if n.type == "for_statement"]
        for number, node in enumerate(heads):
            loop = counted_loop(node) if not in_fallback(node) else None
            if loop is not None and loop.declared and not loop.variable.startswith(GENERATED):
                yield Site(f"{name}/{number}", function, loop)


class NestLever:
    """A lever whose sites are loops: subclasses say which ways there are and write the edits."""

    name: ClassVar[str]
    family: Family = "structure"
    expects: ClassVar[str]

    def ways(self, unit: Unit, site: Site, context: Context) -> list[Way]:
        """Every way it fits this loop."""
        raise NotImplementedError

    def edits(self, unit: Unit, site: Site, way: Way, number: int, context: Context) -> list[Edit]:
        """number: free for the names of this application."""
        raise NotImplementedError

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        unit = unit_of(candidate.source)
        return [
            Application(self.name, self.family, way.params, site.name, way.reason, self.expects)
            for site in sites(unit)
            for way in self.ways(unit, site, context)
        ]

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        unit = unit_of(candidate.source)
        for site in sites(unit):
            if site.name == application.site:
                for way in self.ways(unit, site, context):
                    if dict(way.params) == dict(application.params):
                        made = self.edits(unit, site, way, fresh_number(unit.source), context)
                        edits = [_shaped(unit.source.encode(), site.loop.node, edit) for edit in made]
                        return with_source(candidate, apply_edits(unit.source, edits))
        raise LeverDoesNotApply(f"{self.name} has no place at {application.site or 'that loop'}")


def _shaped(source: bytes, loop: Node, edit: Edit) -> Edit:
    """The edit that replaces the loop takes the hints in front of it away and is indented."""
    if (edit.start, edit.end) != (loop.start_byte, loop.end_byte):
        return edit
    start = hint_start(source, edit.start)
    line = source[source.rfind(b"\n", 0, start) + 1 : start]
    return Edit(start, edit.end, indented(edit.text, len(line) - len(line.lstrip())))


def knobs_before(function: Node, number: int, *knobs: Knob) -> Edit:
    """The lines of the knobs, in front of the function."""
    return before_function(function, "".join(k.line(number) for k in knobs) + "\n")


def head_text(node: Node, body: Node) -> str:
    """`for (...)` without the body."""
    return (node.text or b"")[: body.start_byte - node.start_byte].decode().rstrip()
