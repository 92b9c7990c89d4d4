"""Levers that put vector code in the place of a work-item's dot product: several rows a work-item, or a row a group."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from kernels.levers.abstract import Unsupported
from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.opencl_c.dots import Dot, dots
from kernels.levers.opencl_c.steps import Step, step_of
from kernels.levers.opencl_c.texts import fill, indented, line_start, slice_of, space_of
from kernels.levers.opencl_c.work_items import groups_of
from kernels.levers.outline import fresh_number
from kernels.levers.sketches.method import Knob
from kernels.levers.syntax import Edit, apply_edits
from kernels.values.candidate import Candidate

Way = Literal["rows", "group"]
ROWS: Final = (1, 2, 4, 8)
ACCUMULATORS: Final = (1, 2, 4)
SHARED: Final = (2, 4, 8, 16, 32)  # work-items that share a row


@dataclass(frozen=True, slots=True)
class DotLever:
    """way: `rows`: a work-item takes several rows, reads the vector once for them, and sums in several vectors.
    `group`: the work-items of a group share a row and add their parts up in local memory."""

    way: Way
    family: Family = "sketch"

    @property
    def name(self) -> str:
        return f"opencl_dot_{self.way}"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        wide = 16 if context.machine.has("avx512f") else 8
        return [
            Application(self.name, self.family, {"width": width}, dot.items.name, self._reason(dot), _expects(dot))
            for dot in dots(candidate.source)
            for width in self._widths(candidate.source, dot, wide)
        ]

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        source, width = candidate.source, int(application.params.get("width", 8))
        dot = next((one for one in dots(source) if one.items.name == application.site), None)
        made = None if dot is None else _written(source, dot, width, self.way)
        if made is None:
            raise LeverDoesNotApply(f"no work-item of {application.site} sums weights of its row times a vector")
        return with_source(candidate, made)

    def _widths(self, source: str, dot: Dot, wide: int) -> list[int]:
        """Those that make a difference, the likeliest first; none where the lever does not fit."""
        made = {_written(source, dot, width, self.way): width for width in (8, wide)}
        return [width for text, width in reversed(made.items()) if text is not None]

    def _reason(self, dot: Dot) -> str:
        how = {
            "rows": "a work-item decodes and multiplies many columns at a time, of several rows against one vector",
            "group": "the work-items of a group share a row, so that a group reads memory at one place",
        }[self.way]
        return f"rows of {dot.items.name} over {dot.items.variable} times {dot.found.vector.root}: {how}"


def _expects(dot: Dot) -> str:
    return f"reading {dot.found.weights.root} at the speed of memory on all compute units"


def _written(source: str, dot: Dot, width: int, way: Way) -> str | None:
    """The source with the lever pulled; None when the operands are none that it can step through."""
    n = fresh_number(source)
    spaces = space_of(source, dot.items, dot.found.weights.root), space_of(source, dot.items, dot.found.vector.root)
    try:
        step = step_of(dot.found, n, spaces)
    except Unsupported:
        return None
    if spaces[0] != "__global" or (dot.found.scale and space_of(source, dot.items, dot.found.scale.root) != "__global"):
        return None
    at = line_start(source, dot.items.function.start_byte)
    before = "".join(knob.line(n) for knob in _knobs(dot, step, width, way)) + step.functions + "\n"
    body = fill(f"dot_{way}.cl.in", **_words(source, dot, step, n, spaces[1], way))
    edits = [
        Edit(at, at, before), Edit(dot.items.body.start_byte, dot.items.body.end_byte, body),
        *dot.items.launched(*_launch(dot, n, way)),
    ]  # fmt: skip
    return apply_edits(source, edits)


def _rows(dot: Dot) -> tuple[int, ...]:
    return tuple(rows for rows in ROWS if dot.items.size % rows == 0)


def _knobs(dot: Dot, step: Step, width: int, way: Way) -> Iterator[Knob]:
    if way == "rows":
        rows, groups = _rows(dot), groups_of(dot.items.size, *_rows(dot))
        yield Knob("ROWS", rows[min(1, len(rows) - 1)], rows)
        yield Knob("ACCUMULATORS", 2, ACCUMULATORS)
        yield Knob("GROUP", groups[min(2, len(groups) - 1)], groups)
    else:
        yield Knob("SHARED", 8, SHARED)
    if step.widths:
        yield Knob("WIDTH", width if width in step.widths else step.widths[-1], step.widths)


def _launch(dot: Dot, n: int, way: Way) -> tuple[str, str]:
    if way == "rows":
        return f"({dot.items.size_text}) / KW_TUNE_ROWS_{n}", f"KW_TUNE_GROUP_{n}"
    return f"({dot.items.size_text}) * KW_TUNE_SHARED_{n}", f"KW_TUNE_SHARED_{n}"


def _words(source: str, dot: Dot, step: Step, n: int, vector_space: str, way: Way) -> dict[str, object]:
    found, scale = dot.found, dot.found.scale
    before = [slice_of(source, node, dot.shift) for node in found.before if node.type == "declaration"]
    typed = f"__global const {step.scale} *kw_s_{n}" if scale else ""
    return {
        "n": n, "kind": dot.items.kind, "variable": dot.items.variable, "columns": dot.columns, "step": step.columns,
        "weight": step.weight, "weights": found.weights.address, "vector": step.vector,
        "vector_space": vector_space, "vector_address": found.vector.address,
        "locals": indented("\n".join(before), 12 if way == "rows" else 8), "rest": _rest(source, dot, n, way),
        "scales_declared": f"        {typed}[KW_TUNE_ROWS_{n}];\n" if scale else "",
        "scales_set": f"            kw_s_{n}[kw_r] = {scale.address};\n" if scale else "",
        "scales_one": f"        {typed} = {scale.address};\n" if scale else "",
        "scale_of_row": f"kw_s_{n}[kw_r]," if scale else "", "scale_of_one": f"kw_s_{n}," if scale else "",
    }  # fmt: skip


def _rest(source: str, dot: Dot, n: int, way: Way) -> str:
    """The statements of the work-item, with the sum in the place of the loop that made it."""
    start, end = dot.place(dot.found.reduction.node)
    total = f"kw_sum_{n}[kw_r_{n}]" if way == "rows" else f"kw_all_{n}"
    raw = source.encode()
    first = dot.items.declaration.end_byte
    text = raw[first:start] + f"{dot.found.target} += {total};".encode() + raw[end : dot.items.body.end_byte - 1]
    return indented(text.decode(), 8)
