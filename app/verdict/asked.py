"""What a person asked for, resolved: pack, kernel, target, settings, source. Mistakes are named before a run."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.settings import Settings, UsageError, load
from kernels.packs.loader import find_kernel, load_pack
from kernels.targets.registry import dialect_of, plugins
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec, Pack


@dataclass(frozen=True, slots=True)
class Asked:
    """One or more kernels of one pack on one target. rule_given: a rule was named and is not just the default."""

    home: Path
    workspace: Path
    pack: Pack
    kernels: tuple[KernelSpec, ...]
    settings: Settings
    rule_given: bool = False

    @property
    def spec(self) -> KernelSpec:
        return self.kernels[0]

    @property
    def name(self) -> str:
        return f"{self.pack.name}/{self.spec.name}"


def resolve(
    home: Path, workspace: Path, kernel: str, *, pack: str | None = None, target: str | None = None,
    rule: str | None = None,
) -> Asked:  # fmt: skip
    """kernel: a name, or pack/kernel; "" for every kernel of the pack.

    Raises: UsageError, PackError.
    """
    flags: dict[str, Any] = {"pack": pack, "target": target, "rule": rule}
    settings = load(home, {name: value for name, value in flags.items() if value is not None})
    if settings.target not in (known := plugins(workspace)):
        raise UsageError(f"target {settings.target!r}: there is none of that name; known: {', '.join(known)}")
    if kernel:
        found, spec = find_kernel(kernel, pack or "", workspace)
        return Asked(home, workspace, found, (spec,), settings, rule is not None)
    found = load_pack(settings.pack, workspace)
    return Asked(home, workspace, found, found.kernels, settings, rule is not None)


def candidate_of(asked: Asked, file: Path, flags: tuple[str, ...] = ()) -> Candidate:
    """The file as a candidate, in the language of the target. Raises: UsageError when it cannot be read as text."""
    spec, dialect = asked.spec, dialect_of(asked.settings.target)
    try:
        source = file.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"source {file}: {error.strerror or error}; give a {dialect.suffix} file that defines {spec.prototype}"
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(
            f"source {file}: not UTF-8 text ({error.reason}); give a {dialect.suffix} source file"
        ) from error
    return dialect.candidate(spec.name, source, flags)
