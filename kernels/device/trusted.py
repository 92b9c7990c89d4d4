"""The target's own sources on a device: read probes and the empty kernel, compiled like candidates. And a baseline that
is its own reference, compiled strictly."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernels.device.report import DeviceUnhealthy
from kernels.packs.loader import baseline
from kernels.targets.base import CompileFailed, Target
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec


@dataclass(frozen=True, slots=True)
class Trusted:
    """Artefacts for one kernel. probes: by style; none for a kernel without weights. empty: None
    where no call has a round trip. reference: of a kernel that is
    judged by its baseline."""

    probes: dict[str, Path]
    empty: Path | None
    reference: Path | None = None

    def to_json(self) -> dict[str, Any]:
        paths = {"probes": {style: str(path) for style, path in self.probes.items()}, "empty": _told(self.empty)}
        return {**paths, "reference": _told(self.reference)}


def _told(path: Path | None) -> str:
    return "" if path is None else str(path)


def build(target: Target, spec: KernelSpec, folder: Path) -> Trusted:
    """Blocking; about a second.

    Raises: DeviceUnhealthy when the target cannot build its own sources.
    """
    place = folder / target.fingerprint.id / spec.pack / spec.name

    def built(candidate: Candidate) -> Path:
        mine = place / candidate.id
        mine.mkdir(parents=True, exist_ok=True)
        return target.compile(candidate, spec, mine).path

    sources = target.probes(spec)
    try:
        probes = {style: built(candidate) for style, candidate in sources.items()}
        empty = target.empty(spec)
        return Trusted(probes, None if empty is None else built(empty), build_reference(target, spec, place))
    except (CompileFailed, OSError) as error:
        raise DeviceUnhealthy(f"a probe of {spec.name} cannot be built: {error}") from error


def build_reference(target: Target, spec: KernelSpec, folder: Path) -> Path | None:
    """The baseline at -O0, for a kernel without another reference.

    Raises: DeviceUnhealthy when it does not build.
    """
    if spec.reference != "baseline":
        return None
    source = baseline(spec)
    try:
        return target.compile_strict(source, spec, folder / source.id).path
    except CompileFailed as error:
        raise DeviceUnhealthy(f"the reference of {spec.name}, its baseline at -O0, does not build: {error}") from error
