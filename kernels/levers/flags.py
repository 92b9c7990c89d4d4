"""Compiler flags as levers, one lever a flag, so that each is credited apart."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from kernels.levers.base import Application, Context, Family, Lever, LeverDoesNotApply
from kernels.values.candidate import Candidate


@dataclass(frozen=True, slots=True)
class FlagLever:
    """Adds one flag; a flag that excludes others replaces them. needs: CPU features without which it is not offered."""

    flag: str
    reason: str
    needs: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    family: Family = "flags"

    @property
    def name(self) -> str:
        """`flag_` and the flag's words."""
        return "flag_" + self.flag.lstrip("-").replace("-", "_").replace("=", "_")

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        if self.flag in candidate.flags or not context.machine.has(*self.needs):
            return []
        expects = "other machine code, the same values within the tolerance"
        return [Application(self.name, self.family, {"flag": self.flag}, "compiler flags", self.reason, expects)]

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        if self.flag in candidate.flags:
            raise LeverDoesNotApply(f"{self.flag} is already among the flags")
        kept = tuple(f for f in candidate.flags if not f.startswith(self.excludes or ("\0",)))
        return replace(candidate, flags=(*kept, self.flag))


def flag_levers() -> Sequence[Lever]:
    return FLAGS


FLAGS: Final[tuple[FlagLever, ...]] = (
    FlagLever("-ffast-math", "lets sums be reordered, so that reductions are vectorised"),
    FlagLever("-fno-math-errno", "lets mathematical functions be inlined and vectorised"),
    FlagLever("-ffinite-math-only", "drops the paths for NaN and infinity"),
    FlagLever("-fno-trapping-math", "lets selections be done without branches"),
    FlagLever("-O2", "smaller loops; -O3 sometimes peels and unrolls too much", excludes=("-O",)),
    FlagLever("-funroll-loops", "fewer branches and more independent work in short loops"),
    FlagLever("-fno-tree-vectorize", "keeps loops scalar where vectorising does not pay"),
    FlagLever(
        "-mprefer-vector-width=512", "doubles the work of one instruction", ("avx512f",), ("-mprefer-vector-width",)
    ),
    FlagLever("-mprefer-vector-width=256", "shorter loop tails", ("avx2",), ("-mprefer-vector-width",)),
)
