"""Two levers for loops over contiguous floats: independent sums in vectors, and stores that go around the caches."""

from collections.abc import Iterator
from dataclasses import dataclass

from kernels.levers import matvec
from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.loops import counted_loops
from kernels.levers.outline import before_function, fresh_number, with_intrinsics
from kernels.levers.scope import visible
from kernels.levers.sketches.method import Knob, fill
from kernels.levers.syntax import apply_edits, identifiers, replace_node, statements, text_of
from kernels.levers.unit import Unit, function_name, unit_of
from kernels.levers.vector_loop import SIZES, VectorLoop, unit_stride, vector_loop
from kernels.values.candidate import Candidate


@dataclass(frozen=True, slots=True)
class AccumulatorsLever:
    """A float sum over contiguous elements, computed in several independent vectors."""

    name: str = "accumulators"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        expects = "the latency of one addition an element goes away: up to width x accumulators for that loop"
        return [
            Application(
                self.name, self.family, {}, site,
                f"the sum over {found.loop.variable} ({found.loop.trip} terms) waits for each addition", expects,
            )
            for site, found in _sums(candidate.source)
        ]  # fmt: skip

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        found = next((v for site, v in _sums(candidate.source) if site == application.site), None)
        if found is None:
            raise LeverDoesNotApply(f"no sum over contiguous floats at {application.site}")
        n, loop = fresh_number(candidate.source), found.loop
        width = 16 if context.machine.has("avx512f") else 8 if context.machine.has("avx2") else 4
        text = fill(
            "reduction.c.in", n=n, element=found.element, size=SIZES[found.element], type=loop.type,
            variable=loop.variable, lower=loop.lower, upper=_bound(loop.upper), target=text_of(found.target),
            operator=found.operator, scalar=text_of(found.value),
            vector=found.vector_value(f"kw_v_{n}", f"KW_TUNE_WIDTH_{n} * kw_a"),
        )  # fmt: skip
        knobs = (Knob("WIDTH", width, (4, 8, 16)), Knob("ACCUMULATORS", 4, (1, 2, 4, 8)))
        lines = "".join(k.line(n) for k in knobs) + "\n"
        edits = [before_function(found.function, lines), replace_node(loop.node, text)]
        return with_source(candidate, apply_edits(candidate.source, edits))


@dataclass(frozen=True, slots=True)
class StreamingStoresLever:
    """An elementwise loop whose results are written past the caches, so that their lines are not read first."""

    name: str = "streaming_stores"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        if not context.machine.has("avx512f"):
            return []
        return [
            Application(
                self.name, self.family, {}, site,
                f"the loop over {found.loop.variable} writes {text_of(found.target)} once and reads other arrays",
                "the traffic of the result, by half, where it is larger than the caches",
            )
            for site, found in _maps(candidate.source)
        ]  # fmt: skip

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        found = next((v for site, v in _maps(candidate.source) if site == application.site), None)
        if found is None or not context.machine.has("avx512f"):
            raise LeverDoesNotApply(f"no elementwise loop at {application.site}")
        n, loop, size = fresh_number(candidate.source), found.loop, SIZES[found.element]
        shift = f"{64 // size} * kw_u"
        text = fill(
            "streaming.c.in", n=n, element=found.element, size=size, type=loop.type, variable=loop.variable,
            lower=loop.lower, upper=_bound(loop.upper), lanes=64 // size, target=text_of(found.target),
            statement=text_of(statements(loop.body)[0]), vector=found.vector_value(f"kw_v_{n}", shift),
            moved=found.moved(found.target, shift),
        )  # fmt: skip
        edits = [
            before_function(found.function, Knob("UNROLL", 2, (1, 2, 4, 8)).line(n) + "\n"),
            replace_node(loop.node, text),
        ]
        edits += with_intrinsics(candidate.source)
        return with_source(candidate, apply_edits(candidate.source, edits))


def _bound(upper: str) -> str:
    return upper if upper.replace("_", "").isalnum() else f"({upper})"


def _sums(source: str) -> Iterator[tuple[str, VectorLoop]]:
    """Sums outside of recognised mat-vecs."""
    unit = unit_of(source)
    taken = {m.reduction.node.start_byte for m in matvec.find(source)}
    for site, found in _vector_loops(unit):
        plain = found.target.type == "identifier" and found.operator in ("+=", "-=")
        if plain and found.loop.node.start_byte not in taken and text_of(found.target) not in identifiers(found.value):
            yield site, found


def _maps(source: str) -> Iterator[tuple[str, VectorLoop]]:
    unit = unit_of(source)
    for site, found in _vector_loops(unit):
        if found.operator != "=" or found.target.type != "subscript_expression":
            continue
        outer = visible(found.function, found.loop.node)
        fresh = not any(identifiers(found.target) & identifiers(n) - {found.loop.variable} for n in found.loads)
        if fresh and unit_stride(unit, outer, found.loop, found.target) == found.element:
            yield site, found


def _vector_loops(unit: Unit) -> Iterator[tuple[str, VectorLoop]]:
    count: dict[str, int] = {}
    for loop in counted_loops(unit.root):
        found = vector_loop(unit, loop)
        if found is None:
            continue
        name = function_name(found.function)
        yield f"{name}/{count.get(name, 0)}", found
        count[name] = count.get(name, 0) + 1
