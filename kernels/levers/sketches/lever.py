"""The levers that put a method in the place of recognised mat-vecs, one lever a method."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.matvec import MatVec, find
from kernels.levers.sketches.method import Method
from kernels.levers.sketches.nest import rewritten
from kernels.levers.syntax import apply_edits
from kernels.values.candidate import Candidate

EVERYWHERE = "every nest"


@dataclass(frozen=True, slots=True)
class SketchLever:
    """Rewrites the mat-vecs that its method fits: all of them at once, or one nest."""

    method: Method
    family: Family = "sketch"

    @property
    def name(self) -> str:
        return f"matvec_{self.method.name}"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        if not context.machine.has(*self.method.needs):
            return []
        fitting = self._fitting(candidate.source)
        if not fitting:
            return []
        sites = [EVERYWHERE] + ([nest[0].site for nest in fitting] if len(fitting) > 1 else [])
        variants = self.method.variants(fitting[0][0], context.machine)
        return [self._application(site, params, fitting) for params in variants for site in sites]

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        if not context.machine.has(*self.method.needs):
            raise LeverDoesNotApply(f"the machine lacks one of {', '.join(self.method.needs)}")
        params = {k: int(v) for k, v in application.params.items()}
        source, done = candidate.source, 0
        while nests := self._wanted(source, application.site, done):
            source = apply_edits(source, rewritten(nests[0], source, self.method, params))
            done += 1
        if not done:
            raise LeverDoesNotApply(f"no mat-vec at {application.site} that {self.method.name} fits")
        return with_source(candidate, source)

    def _wanted(self, source: str, site: str, done: int) -> list[list[MatVec]]:
        """The nests still to be rewritten; a rewritten one is not found again."""
        if site != EVERYWHERE and done:
            return []
        return [n for n in self._fitting(source) if site in (EVERYWHERE, n[0].site)]

    def _fitting(self, source: str) -> list[list[MatVec]]:
        return [n for n in nests(source) if not any(self.method.unfit(m) for m in n)]

    def _application(self, site: str, params: dict[str, int], fitting: Sequence[Sequence[MatVec]]) -> Application:
        nest = next((n for n in fitting if n[0].site == site), fitting[0])
        return Application(self.name, self.family, params, site, f"{_text(nest)}: {self.method.reason}", _expects(nest))


def nests(source: str) -> list[list[MatVec]]:
    """The mat-vecs of the source, those of one row loop together."""
    return [list(group) for _, group in groupby(find(source), key=lambda m: m.row.node.start_byte)]


def _text(nest: Sequence[MatVec]) -> str:
    found = nest[0]
    kind = {"byte": "table of a byte", "nibble": "two codes a byte", "f32": "f32", "bf16": "bf16"}[found.weights.kind]
    scaled = f", a scale for {found.scale.block} columns" if found.scale else ""
    nan = any(np.isnan(t).any() for t in found.weights.tables)
    care = "; codes whose value is NaN are taken as never occurring" if nan else ""
    return f"rows over {found.row.variable} times {found.vector.root} ({kind}{scaled}){care}"


def _expects(nest: Sequence[MatVec]) -> str:
    names = ", ".join(sorted({m.weights.root for m in nest}))
    return f"reading {names} at the speed of memory on all threads; the serial rest stays"
