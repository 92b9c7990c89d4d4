"""The probes of a target: those that ship, and those of the workspace, which win by name."""

from pathlib import Path
from typing import Final

from kernels.values.machine import Machine
from knowledge.probes.definition import Definition, ProbeError, read_definition

SHIPPED: Final = Path(__file__).parent


def folders_of(target: str, workspace: Path | None = None) -> list[Path]:
    """Where probes of this target lie, shipped first: `cpu_c` here for `cpu-c`, `probes/cpu-c` in the workspace."""
    places = [SHIPPED / target.replace("-", "_"), *([workspace / "probes" / target] if workspace is not None else [])]
    return [place for place in places if place.is_dir()]


def definitions(target: str, workspace: Path | None = None) -> list[Definition]:
    """By name. Raises: ProbeError for a target without a single one, and for a broken file."""
    found = {
        path.stem: read_definition(path, target)
        for folder in folders_of(target, workspace)
        for path in sorted(folder.glob("*.toml"))
    }
    if not found:
        todo = f"Write probes/{target}/<fact>.toml in the workspace; see knowledge/probes/definition.py"
        raise ProbeError(Path("probes") / target, "no probe files for this target", todo)
    return [found[name] for name in sorted(found)]


def lacking(definition: Definition, machine: Machine) -> tuple[str, ...]:
    """What the processor would need for this probe and does not have."""
    return tuple(flag for flag in definition.requires if not machine.has(flag))
