"""The baseline analysis of a kernel: from its source, the chip facts of the home, and what campaigns measured of it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kernels.packs.loader import baseline
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
) -> list[Told]:  # fmt: skip
    """In a home with a database they are kept, for the screen and for reports. Raises: PackError."""
    if not (home / DATABASE).is_file():
        return [told(of_kernel(None, pack, spec, target, book)) for spec in specs]
    with Store.open(home) as store:
        return store.write_sync(lambda s: keep_all(s, pack, specs, target, book))


def keep_all(s: Session, pack: Pack, specs: Sequence[KernelSpec], target: Target, book: Playbook) -> list[Told]:
    """Raises: PackError."""
    found = [told(of_kernel(s, pack, spec, target, book)) for spec in specs]
    for spec, record in zip(specs, found, strict=True):
        baseline_views.keep(s, target.name, target.fingerprint.id, pack.name, spec.name, record)
    return found


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
