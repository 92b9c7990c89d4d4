"""The target's own sources on a device: read probes and the empty kernel, compiled like candidates. And a baseline that
is its own reference, compiled strictly."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernels.device.report import DeviceUnhealthy
from kernels.packs.loader import baseline
from kernels.targets.base import CompileFailed, Target
from kernels.targets.registry import dialect_of
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec


@dataclass(frozen=True, slots=True)
class Trusted:
    """Artefacts for one kernel. probes: by style, at each shape; none for a kernel without weights. empty: None where
    no call has a round trip. reference: of a kernel that is judged by its baseline."""

    probes: tuple[dict[str, Path], ...]
    empty: Path | None
    reference: Path | None = None

    def to_json(self) -> dict[str, Any]:
        probes = [{style: str(path) for style, path in one.items()} for one in self.probes]
        told = {"probes": probes[0], "empty": _told(self.empty), "reference": _told(self.reference)}
        return {**told, "shapes": probes} if len(probes) > 1 else told


def _told(path: Path | None) -> str:
    return "" if path is None else str(path)


def build(target: Target, spec: KernelSpec, folder: Path) -> Trusted:
    """Blocking; about a second.

    Raises: DeviceUnhealthy when the target cannot build its own sources.
    """
    place = folder / target.fingerprint.id / spec.pack / spec.name

    known: dict[str, Path] = {}

    def built(candidate: Candidate, case: KernelSpec) -> Path:
        """Shapes with weights of the same size have the same probes."""
        if candidate.id not in known:
            mine = place / candidate.id
            mine.mkdir(parents=True, exist_ok=True)
            known[candidate.id] = target.compile(candidate, case, mine).path
        return known[candidate.id]

    try:
        probes = tuple({style: built(one, case) for style, one in target.probes(case).items()} for case in spec.cases)
        empty = target.empty(spec)
        nothing = None if empty is None else built(empty, spec)
        return Trusted(probes, nothing, build_reference(target, spec, place))
    except (CompileFailed, OSError) as error:
        raise DeviceUnhealthy(f"a probe of {spec.name} cannot be built: {error}") from error


def build_reference(target: Target, spec: KernelSpec, folder: Path) -> Path | None:
    """The baseline in the language of the target, at -O0, for a kernel without another reference.

    Raises: DeviceUnhealthy when it does not build.
    """
    if spec.reference != "baseline":
        return None
    source = baseline(spec, dialect_of(target.name))
    try:
        return target.compile_strict(source, spec, folder / source.id).path
    except CompileFailed as error:
        raise DeviceUnhealthy(f"the reference of {spec.name}, its baseline at -O0, does not build: {error}") from error
