"""The lever that replaces calls of libm by branch-free inline functions, so that the loops around them vectorise.

Sources of the approximations: tanh, the rational function of degree 13/6 of Eigen (Eigen/src/Core/MathFunctionsImpl.h);
exp, the polynomial of Cephes (expf.c, Stephen Moshier).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.outline import before_function, fresh_number
from kernels.levers.sketches.method import fill
from kernels.levers.syntax import apply_edits, enclosing, field, in_fallback, replace_node, text_of, walk
from kernels.levers.unit import Unit, unit_of
from kernels.values.candidate import Candidate

KNOWN: Final = ("tanhf", "expf")


@dataclass(frozen=True, slots=True)
class VectorMathLever:
    """All calls of one function of libm at once."""

    name: str = "vector_math"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        unit = unit_of(candidate.source)
        counted = [(name, len(list(_calls(unit, name)))) for name in KNOWN]
        return [
            Application(
                self.name, self.family, {"function": name}, name,
                f"{count} calls of {name} keep their loops scalar; a branch-free form of it vectorises",
                f"loops that call {name}, by up to the width of a vector",
            )
            for name, count in counted
            if count
        ]  # fmt: skip

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        name = str(application.params.get("function", ""))
        unit = unit_of(candidate.source)
        calls = list(_calls(unit, name)) if name in KNOWN else []
        if not calls:
            raise LeverDoesNotApply(f"no call of {name or 'a known function'}")
        n = fresh_number(unit.source)
        first = next(f for f in unit.root.children if f.type == "function_definition")
        edits = [replace_node(call, f"kw_{name}_{n}") for call in calls]
        return with_source(
            candidate, apply_edits(unit.source, [before_function(first, fill(f"math_{name}.c.in", n=n)), *edits])
        )


def _calls(unit: Unit, name: str) -> Iterator[Node]:
    """The name in each call, in functions that stand at the top level of the file."""
    for node in walk(unit.root):
        target = field(node, "function") if node.type == "call_expression" else None
        called = target is not None and text_of(target) == name
        if target is not None and called and not in_fallback(node) and enclosing(node, "function_definition"):
            yield target
