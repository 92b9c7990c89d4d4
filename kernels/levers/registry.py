"""All levers, by name; every change goes through `apply`, which checks it: it parses and differs."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from kernels.design.annotations import annotations
from kernels.levers.base import Application, Context, Family, Lever, LeverDoesNotApply, with_source
from kernels.levers.cuda_cpp.registry import cuda_levers
from kernels.levers.flags import flag_levers
from kernels.levers.fuse import FuseLever
from kernels.levers.inline_calls import InlineLever
from kernels.levers.lookup import LookupLever
from kernels.levers.nests.fuse_shifted import FuseShiftedLever
from kernels.levers.nests.hoist import HoistLever
from kernels.levers.nests.interchange import InterchangeLever
from kernels.levers.nests.localise import localised
from kernels.levers.nests.prefetch import PrefetchLever
from kernels.levers.nests.prefix import PrefixLever
from kernels.levers.nests.split import SplitLever
from kernels.levers.nests.strength import StrengthLever
from kernels.levers.nests.tile import TileLever
from kernels.levers.nests.unroll_jam import UnrollJamLever
from kernels.levers.opencl_c.masked import masked
from kernels.levers.opencl_c.registry import opencl_levers
from kernels.levers.restrict import RestrictLever
from kernels.levers.sketches.registry import sketch_levers
from kernels.levers.syntax import parse
from kernels.levers.threads import ThreadsLever
from kernels.levers.tidy import without_stray_hints
from kernels.levers.tunables import PREFIX, TunableLever
from kernels.levers.vector_loops import AccumulatorsLever, StreamingStoresLever, VectorMapLever
from kernels.levers.vector_math import VectorMathLever
from kernels.values.candidate import Candidate

HEADER: Final = '"kernelwright.h"'
STRUCTURE: Final[tuple[Lever, ...]] = (
    ThreadsLever(), AccumulatorsLever(), VectorMapLever(), StreamingStoresLever(), InterchangeLever(), PrefixLever(),
    FuseLever(), FuseShiftedLever(), HoistLever(), RestrictLever(), UnrollJamLever(), TileLever(), SplitLever(),
    VectorMathLever(), LookupLever(), InlineLever(), StrengthLever(), PrefetchLever(),
)  # fmt: skip


@cache
def _levers() -> Mapping[str, dict[str, Lever]]:
    """By language and name."""
    c: list[Lever] = [*sketch_levers(), *STRUCTURE, TunableLever(), *flag_levers()]
    return {"c": _named(c), "opencl": _named(opencl_levers()), "cuda": _named(cuda_levers())}


def _named(levers: Sequence[Lever]) -> dict[str, Lever]:
    return {lever.name: lever for lever in levers}


def all_levers(language: str = "c") -> tuple[Lever, ...]:
    """Of one language: sketches first, then structure, tunables, flags. None for a language that is not known."""
    return tuple(_levers().get(language, {}).values())


def names() -> frozenset[str]:
    """Of all levers of all languages."""
    return frozenset(name for levers in _levers().values() for name in levers)


def applications(candidate: Candidate, context: Context) -> list[Application]:
    """Every way to pull any lever on this candidate, in a fixed order; none for a source that does not parse."""
    if _wrong(candidate):
        return []
    return [
        a for lever in all_levers(candidate.language) for a in lever.applications(_seen_by(lever, candidate), context)
    ]


def apply(candidate: Candidate, application: Application, context: Context) -> Candidate:
    """Raises: LeverDoesNotApply, also for an unknown lever, when nothing would change or the result does not parse."""
    lever = _find(application.lever, candidate.language)
    if lever is None:
        known = ", ".join(one.name for one in all_levers(candidate.language))
        raise LeverDoesNotApply(
            f"there is no lever {application.lever!r} for {candidate.language} sources; levers: {known}"
        )
    made = _finished(lever, lever.apply(_seen_by(lever, candidate), application, context))
    if made.id == candidate.id:
        raise LeverDoesNotApply(f"{application.lever} changes nothing")
    if _wrong(made) and not _wrong(candidate):
        raise LeverDoesNotApply(f"{application.lever} at {application.site}: the result does not parse")
    return made


def family_of(lever_name: str) -> Family:
    """sketch, structure, tunable or flags. Raises: ValueError for an unknown lever."""
    lever = next((one for language in _levers() if (one := _find(lever_name, language)) is not None), None)
    if lever is None:
        raise ValueError(f"there is no lever {lever_name!r}; levers: {', '.join(sorted(names()))}")
    return lever.family


def describe(candidate: Candidate) -> str:
    """One line on how the source differs from plain loops: designs, tunables, flags."""
    source = candidate.source
    counted = [
        f"{len(found)} {what}"
        for prefix, what in (("kw_dot_", "generated dot products"), ("kw_body_", "parallel regions"))
        if (found := set(re.findall(rf"\b{prefix}\d+\b", source)))
    ]
    knobs = [f"{a.name.removeprefix('KW_TUNE_').lower()}={a.value}" for a in annotations(source)]
    return "; ".join([*counted, *([" ".join(knobs)] if knobs else []), *candidate.flags]) or "plain loops"


def _seen_by(lever: Lever, candidate: Candidate) -> Candidate:
    """What a lever works on: changes of loops see variables that are declared where they are used."""
    if lever.family in ("tunable", "flags") or candidate.language != "c":
        return candidate
    return with_source(candidate, localised(candidate.source))


def _finished(lever: Lever, made: Candidate) -> Candidate:
    """What a change of loops needs around it: the harness's header, no hints that lost their loop."""
    if lever.family in ("tunable", "flags") or made.language != "c":
        return made
    source = without_stray_hints(made.source)
    return with_source(made, source if HEADER in source else f"#include {HEADER}\n{source}")


def _wrong(candidate: Candidate) -> bool:
    """Whether the grammar does not follow. No lever for CUDA C++ reads a tree."""
    if candidate.language == "cuda":
        return False
    return parse(masked(candidate.source) if candidate.language == "opencl" else candidate.source).has_error


def _find(name: str, language: str) -> Lever | None:
    """A lever by name; each knob of a design has a lever of its own, known by its prefix."""
    if name.startswith(PREFIX):
        return TunableLever(name.removeprefix(PREFIX))
    return _levers().get(language, {}).get(name)
