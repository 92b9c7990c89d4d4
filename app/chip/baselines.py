"""The baseline analysis of a kernel: from its source, the chip facts of the home, and what campaigns measured of it."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.text import table
from app.views import count, duration_ns
from kernels.packs.loader import baseline
from kernels.profiling.profile import Profile
from kernels.targets.base import Target
from kernels.values.kernel import KernelSpec, Pack
from knowledge.baselines.analysis import Analysis, Times, analysed
from knowledge.baselines.character import character_of
from knowledge.baselines.values import Nest
from knowledge.skills.playbook import Playbook
from knowledge.skills.skill import Skill
from store import baseline_views, chip_facts
from store.baseline_views import Measured
from store.engine import DATABASE, Session, Store

Told = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Baseline:
    """measured: by the newest campaign on this pack and target, None when there is none."""

    spec: KernelSpec
    analysis: Analysis
    skills: tuple[Skill, ...]
    measured: Measured | None = None

    @property
    def name(self) -> str:
        return f"{self.spec.pack}/{self.spec.name}"


def of_kernels(
    home: Path, pack: Pack, specs: Sequence[KernelSpec], target: Target, book: Playbook
) -> list[Baseline]:  # fmt: skip
    """Raises: PackError."""
    if not (home / DATABASE).is_file():
        return [of_kernel(None, pack, spec, target, book) for spec in specs]
    with Store.open(home) as store:
        return store.write_sync(lambda s: [of_kernel(s, pack, spec, target, book) for spec in specs])


def of_kernel(s: Session | None, pack: Pack, spec: KernelSpec, target: Target, book: Playbook) -> Baseline:
    """s: None in a home without a database. Raises: PackError."""
    candidate = baseline(spec)
    character = character_of(candidate, spec)
    facts = {} if s is None else chip_facts.current(s, target.name, target.fingerprint.id)
    found = None if s is None else baseline_views.measured(s, pack.name, target.name, spec.name, candidate.id)
    analysis = analysed(spec, character, target.machine, facts)
    return Baseline(spec, analysis, book.eligible(character, spec, target.name), found)


def told(one: Baseline) -> Told:
    """For JSON; times in nanoseconds, rates in 1e9 a second."""
    analysis, character = one.analysis, one.analysis.character
    return {
        "kernel": one.name, "type": character.type, "types": list(character.types), "traits": list(character.traits),
        "exact": character.exact, "why": character.why, "operations": character.operations,
        "dependent_steps": character.steps, "bytes": asdict(analysis.moved), "intensity": analysis.intensity,
        "loops": [_nest(nest) for nest in character.nests],
        "as_written": _times(analysis.written), "at_best": _times(analysis.best),
        "missing_facts": list(analysis.missing), "skills": [skill.name for skill in one.skills],
        "measured": None if one.measured is None else _measured(one.measured),
    }  # fmt: skip


def _nest(nest: Nest) -> Told:
    loops = [
        {"variable": t.variable, "trip": t.trip, "varies": t.varies, "down": t.down} for t in nest.loops
    ]  # fmt: skip
    return {**asdict(nest), "loops": loops}


def _times(times: Times) -> Told:
    return {"memory_ns": times.memory, "compute_ns": times.compute, "steps_ns": times.steps, "bound": times.bound}


def _measured(found: Measured) -> Told:
    spans = [] if found.profile is None else found.profile.to_json()["lines"]
    return {
        "campaign": found.campaign, "ns": found.ns, "peak_ns": found.peak_ns,
        "profiled": None if found.profile is None else found.profile.candidate,
        "profile_is_of_the_baseline": found.of_baseline,
        "bounds": {} if found.profile is None else found.profile.shares, "spans": spans,
    }  # fmt: skip


def text(one: Baseline) -> str:
    return "\n".join(_lines(one))


def _lines(one: Baseline) -> Iterator[str]:
    analysis, character = one.analysis, one.analysis.character
    moved = analysis.moved
    also = [kind for kind in character.types if kind != character.type]
    yield f"{one.name}: {character.type}{f', also {chr(44).join(also)}' if also else ''}"
    if character.why:
        yield f"  not followed: {character.why}"
    rough = "" if character.exact else " at least"
    yield (
        f"  {character.operations:.4g} operations{rough}, {moved.whole:,} bytes a call ({moved.weights:,} of weights), "
        f"{analysis.intensity:.2g} operations a byte; arrays come from {moved.level}"
    )
    yield from (f"  {line}" for line in _loops(character.nests).splitlines())
    yield f"  as written, one thread: {_said(analysis.written)}"
    yield f"  at its best, all threads: {_said(analysis.best)}"
    if analysis.missing:
        yield f"  not measured: {', '.join(analysis.missing)}: ./run.sh knowledge facts --measure"
    if one.measured is not None:
        yield from _measured_lines(one.measured)
    yield f"  skills: {', '.join(skill.name for skill in one.skills) or 'none speaks for it'}"


def _loops(nests: tuple[Nest, ...]) -> str:
    rows = [
        [
            nest.function, nest.kind, " x ".join(map(str, nest.loops)), f"{nest.operations:.3g}", f"{nest.steps:.3g}",
            " ".join(nest.reads), " ".join(nest.writes), ", ".join(nest.traits),
        ]
        for nest in nests
    ]  # fmt: skip
    return table(("in", "type", "loops", "operations", "in a row", "reads", "writes", "needs"), rows) if rows else ""


def _said(times: Times) -> str:
    parts = [("memory", times.memory), ("arithmetic", times.compute), ("dependent steps", times.steps)]
    known = ", ".join(f"{name} {duration_ns(ns)}" for name, ns in parts if ns is not None)
    return f"bound by {times.bound}{f' ({known})' if known else ''}" if times.bound != "not known" else "not known yet"


def _measured_lines(found: Measured) -> Iterator[str]:
    peak = "" if found.peak_ns is None else f", {found.ns / found.peak_ns:.1f} times the peak"
    yield f"  measured in campaign {found.campaign}: {duration_ns(found.ns)}{peak}"
    if found.profile is not None:
        yield f"  {_profiled(found.profile, of_baseline=found.of_baseline)}"


def _profiled(profile: Profile, *, of_baseline: bool) -> str:
    whose = "the baseline" if of_baseline else f"candidate {profile.candidate[:8]}"
    bounds = ", ".join(f"{bound} {100 * share:.0f} %" for bound, share in profile.shares.items())
    return f"last profile, of {whose}: {count(len(profile.lines), 'span')}, bound by {bounds}"
