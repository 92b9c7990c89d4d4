"""The target's own sources on a device: read probes and the empty kernel, compiled like candidates."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernels.device.report import DeviceUnhealthy
from kernels.targets.base import CompileFailed, Target
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec


@dataclass(frozen=True, slots=True)
class Trusted:
    """Artefacts for one kernel. probes: by style; none for a kernel without weights."""

    probes: dict[str, Path]
    empty: Path

    def to_json(self) -> dict[str, Any]:
        return {"probes": {style: str(path) for style, path in self.probes.items()}, "empty": str(self.empty)}


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
        return Trusted({style: built(candidate) for style, candidate in sources.items()}, built(target.empty(spec)))
    except (CompileFailed, OSError) as error:
        raise DeviceUnhealthy(f"a probe of {spec.name} cannot be built: {error}") from error
