"""How many instructions of each kind a kernel has, in all and in its loops.

Of machine code where cuobjdump is, else of PTX, and said which. It counts what is written, not what is executed.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kernels.targets.base import CompileFailed
from kernels.targets.cpu_c.toolchain import Compiler
from kernels.targets.cuda.listing import Form, Function, of_ptx_text, of_sass_text
from kernels.targets.cuda.opcodes import Kind

SHOWN: Final[tuple[Kind, ...]] = (
    "tensor", "fp32", "fp16", "fp64", "special", "convert", "global load", "global store", "shared load",
    "shared store", "async copy", "local", "atomic", "wait",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Census:
    """Of one kernel. counts, inside: by kind, of all and of what stands in loops; widest: bytes of the widest global
    load in a loop, or at all where no loop loads."""

    kernel: str
    form: Form
    counts: Mapping[Kind, int]
    inside: Mapping[Kind, int]
    loops: int
    widest: int

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def text(self) -> str:
        """One line."""
        told = self.inside if self.loops else self.counts
        where = f"in {self.loops} loops" if self.loops else "no loop,"
        kinds = ", ".join(f"{told[kind]} {kind}" for kind in SHOWN if told.get(kind, 0))
        wide = f"; global loads up to {self.widest} bytes" if self.widest else ""
        return f"{self.kernel}: {self.total} instructions of {self.form}, {where} {kinds or 'none of note'}{wide}"

    def to_json(self) -> dict[str, Any]:
        return {
            "kernel": self.kernel, "form": self.form, "counts": dict(self.counts), "inside": dict(self.inside),
            "loops": self.loops, "widest": self.widest,
        }  # fmt: skip


def census(one: Function) -> Census:
    inner = [step for i, step in enumerate(one.body) if any(loop.begin <= i < loop.end for loop in one.loops)]
    loads = [step.width for step in inner if step.kind == "global load"]
    loads = loads or [step.width for step in one.body if step.kind == "global load"]
    counts: Counter[Kind] = Counter(step.kind for step in one.body)
    inside: Counter[Kind] = Counter(step.kind for step in inner)
    return Census(one.name, one.form, counts, inside, len(one.loops), max(loads, default=0))


def functions(ptx: str, cubin: Path, nvdisasm: Compiler | None) -> dict[str, Function]:
    """Of machine code when it can be read, else of PTX."""
    if nvdisasm is not None:
        try:
            returncode, raw = nvdisasm.output(["-c", cubin.name], cubin.parent)
        except CompileFailed:
            returncode, raw = 1, b""
        found = of_sass_text(raw.decode(errors="replace")) if returncode == 0 else {}
        if found:
            return found
    return of_ptx_text(ptx)
