"""The levers that put a method in the place of recognised mat-vecs, one lever a method."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np

from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.fuse import FuseLever, neighbours
from kernels.levers.inline_calls import InlineLever
from kernels.levers.matvec import MatVec, find
from kernels.levers.sketches.method import Method
from kernels.levers.sketches.nest import rewritten
from kernels.levers.syntax import apply_edits
from kernels.levers.unit import function_name
from kernels.values.candidate import Candidate

EVERYWHERE: Final = "every nest"
SPECIALISE: Final = "specialise"


@dataclass(frozen=True, slots=True)
class SketchLever:
    """Rewrites the mat-vecs that its method fits: all of them at once, or one nest.

    With the parameter "specialise", functions that hold a mat-vec are first written out at their calls and neighbouring
    mat-vecs joined, so that each has its own constants and tunables and they share one pass over the threads.
    """

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
        found = [self._application(site, params, fitting) for params in variants for site in sites]
        if specialised(candidate, context) is not candidate:
            apart = {**variants[0], SPECIALISE: 1}
            found.insert(1, self._application(EVERYWHERE, apart, fitting))
        return found

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        if not context.machine.has(*self.method.needs):
            raise LeverDoesNotApply(f"the machine lacks one of {', '.join(self.method.needs)}")
        params = {k: int(v) for k, v in application.params.items()}
        if params.pop(SPECIALISE, 0):
            candidate = specialised(candidate, context)
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
        apart = "; each call apart, neighbours joined" if params.get(SPECIALISE, 0) else ""
        reason = f"{_text(nest, self.method.keeps_nan)}: {self.method.reason}{apart}"
        return Application(self.name, self.family, params, site, reason, _expects(nest))


def specialised(candidate: Candidate, context: Context) -> Candidate:
    """Mat-vecs written out at the calls of their functions, neighbours joined; the candidate itself if none are."""
    holders = {function_name(m.function) for m in find(candidate.source)}
    for application in InlineLever().applications(candidate, context):
        if application.site in holders:
            candidate = InlineLever().apply(candidate, application, context)
    while joined := _joined(candidate, context):
        candidate = joined
    return candidate


def _joined(candidate: Candidate, context: Context) -> Candidate | None:
    """The candidate with two neighbouring mat-vecs joined, or None."""
    lines = {m.row.node.start_byte for m in find(candidate.source)}
    for application, first, second in neighbours(candidate.source):
        if {first.node.start_byte, second.node.start_byte} <= lines:
            return FuseLever().apply(candidate, application, context)
    return None


def nests(source: str) -> list[list[MatVec]]:
    """The mat-vecs of the source, those of one row loop together."""
    return [list(group) for _, group in groupby(find(source), key=lambda m: m.row.node.start_byte)]


def _text(nest: Sequence[MatVec], keeps_nan: bool) -> str:
    found = nest[0]
    kind = {"byte": "table of a byte", "nibble": "two codes a byte", "f32": "f32", "f64": "f64", "bf16": "bf16"}[
        found.weights.kind
    ]
    scaled = f", a scale for {found.scale.block} columns" if found.scale else ""
    nan = any(np.isnan(t).any() for t in found.weights.tables) and not keeps_nan
    care = "; codes whose value is NaN are taken as never occurring" if nan else ""
    return f"rows over {found.row.variable} times {found.vector.root} ({kind}{scaled}){care}"


def _expects(nest: Sequence[MatVec]) -> str:
    names = ", ".join(sorted({m.weights.root for m in nest}))
    return f"reading {names} at the speed of memory on all threads; the serial rest stays"
