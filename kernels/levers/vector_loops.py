"""Levers for loops over neighbouring elements: independent sums in vectors, whole bodies in vectors, stores that go
around the caches."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.outline import before_function, fresh_number, with_intrinsics
from kernels.levers.sketches.method import Knob, fill
from kernels.levers.syntax import Edit, apply_edits, field, identifiers, statements, text_of
from kernels.levers.tidy import hint_start, indented
from kernels.levers.unit import Unit, unit_of
from kernels.levers.vector_block import VectorBlock, blocks
from kernels.values.candidate import Candidate

WIDTHS: Final = (2, 4, 8, 16)
COUNTS: Final = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True)
class AccumulatorsLever:
    """Sums over neighbouring elements, computed in several independent vectors, with what else the loop does."""

    name: str = "accumulators"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        expects = "the latency of one addition an element goes away: up to width x accumulators for that loop"
        return [
            Application(
                self.name, self.family, {}, site,
                f"{_targets(found)} over {found.loop.variable} ({found.loop.trip} terms) waits for each addition",
                expects,
            )
            for site, found in blocks(unit_of(candidate.source)) if found.sums
        ]  # fmt: skip

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        for site, found in blocks(unit_of(candidate.source)):
            if site == application.site and found.sums:
                return _vectorised(candidate, found, context, "ACCUMULATORS")
        raise LeverDoesNotApply(f"no sum over neighbouring elements at {application.site}")


@dataclass(frozen=True, slots=True)
class VectorMapLever:
    """An elementwise loop, written in vectors of a set width."""

    name: str = "vector_map"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        return [
            Application(
                self.name, self.family, {}, site,
                f"the loop over {found.loop.variable} writes neighbouring elements from neighbouring elements",
                "that loop, by up to the width of a vector where the compiler left it scalar",
            )
            for site, found in blocks(unit_of(candidate.source)) if not found.sums
        ]  # fmt: skip

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        for site, found in blocks(unit_of(candidate.source)):
            if site == application.site and not found.sums:
                return _vectorised(candidate, found, context, "UNROLL")
        raise LeverDoesNotApply(f"no elementwise loop at {application.site}")


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
                f"the loop over {found.loop.variable} writes {text_of(found.stores[0])[:40]} and reads other arrays",
                "the traffic of the result, by half, where it is larger than the caches",
            )
            for site, found in _maps(unit_of(candidate.source))
        ]  # fmt: skip

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        unit = unit_of(candidate.source)
        found = next((v for site, v in _maps(unit) if site == application.site), None)
        target = field(found.stores[0], "left") if found is not None else None
        value = field(found.stores[0], "right") if found is not None else None
        if found is None or target is None or value is None or not context.machine.has("avx512f"):
            raise LeverDoesNotApply(f"no elementwise loop at {application.site}")
        n, loop, lanes = fresh_number(candidate.source), found.loop, 64 // found.size
        terms = found.terms(f"kw_v_{n}")
        text = fill(
            "streaming.c.in", n=n, element=found.element, size=found.size, type=loop.type, variable=loop.variable,
            lower=loop.lower, upper=_bound(loop.upper), lanes=lanes, target=text_of(target), body=text_of(loop.body),
            vector=terms.vector(value, f"{lanes} * kw_u"), moved=terms.moved(target, f"{lanes} * kw_u"),
        )  # fmt: skip
        edits = [
            before_function(found.function, Knob("UNROLL", 2, COUNTS).line(n) + "\n"),
            _replaced(unit, found, text),
        ]
        return with_source(candidate, apply_edits(candidate.source, [*edits, *with_intrinsics(candidate.source)]))


def _vectorised(candidate: Candidate, found: VectorBlock, context: Context, unroll: str) -> Candidate:
    unit, n, loop = unit_of(candidate.source), fresh_number(candidate.source), found.loop
    kind, count = f"kw_v_{n}", f"KW_TUNE_{unroll}_{n}"
    parts = [f"kw_part_{n}_{k}" for k in range(len(found.sums))]
    steps = found.steps(unit, kind, f"KW_TUNE_WIDTH_{n} * kw_a", f"kw_part_{n}_{{}}[kw_a]")
    single = found.steps(unit, kind, "", f"kw_part_{n}_{{}}[0]")
    folded = [_folded(part, text_of(s.target), n) for part, s in zip(parts, found.sums, strict=True)]
    text = fill(
        "vector.c.in", n=n, element=found.element, size=found.size, type=loop.type, variable=loop.variable,
        lower=loop.lower, upper=_bound(loop.upper), unroll=count, body=text_of(loop.body), steps="\n".join(steps),
        single="\n".join(single), parts="\n".join(f"{kind} {p}[{count}] = {{{{0}}}};" for p in parts),
        folded="\n".join(folded),
    )  # fmt: skip
    bytes_wide = 64 if context.machine.has("avx512f") else 32 if context.machine.has("avx2") else 16
    knobs = (Knob("WIDTH", bytes_wide // found.size, WIDTHS), Knob(unroll, 4 if found.sums else 2, COUNTS))
    lines = "".join(k.line(n) for k in knobs) + "\n"
    edits = [before_function(found.function, lines), _replaced(unit, found, text)]
    return with_source(candidate, apply_edits(candidate.source, edits))


def _folded(part: str, target: str, n: int) -> str:
    count = f"KW_TUNE_ACCUMULATORS_{n}"
    return (
        f"#pragma GCC unroll 8\nfor (int kw_a = 1; kw_a < {count}; kw_a++) {part}[0] += {part}[kw_a];\n"
        f"for (int kw_k = 0; kw_k < KW_TUNE_WIDTH_{n}; kw_k++) {target} += {part}[0][kw_k];"
    )


def _replaced(unit: Unit, found: VectorBlock, text: str) -> Edit:
    node = found.loop.node
    lines = "\n".join(line for line in text.rstrip().splitlines() if line.strip())
    column = node.start_point[1]
    return Edit(hint_start(unit.source.encode(), node.start_byte), node.end_byte, indented(lines, column))


def _bound(upper: str) -> str:
    return upper if upper.replace("_", "").isalnum() else f"({upper})"


def _targets(found: VectorBlock) -> str:
    return "the sum " + ", ".join(text_of(s.target) for s in found.sums)


def _maps(unit: Unit) -> Iterator[tuple[str, VectorBlock]]:
    """Loops of one plain store whose value reads other arrays."""
    for site, found in blocks(unit):
        if found.sums or len(statements(found.loop.body)) != 1:
            continue
        target, value, operator = (field(found.stores[0], x) for x in ("left", "right", "operator"))
        if target is None or value is None or operator is None or text_of(operator) != "=":
            continue
        if not (identifiers(target) & identifiers(value)) - {found.loop.variable}:
            yield site, found
