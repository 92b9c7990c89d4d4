"""What a plug-in says of the target that it brings: enough to list it, and how to make it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from kernels.targets.base import Target
from kernels.values.dialect import Dialect

HOST: Final = "host"
"""Hardware of all targets that run on the CPUs of this machine."""
Ability = Literal["compile", "diagnostics", "schedule", "run", "timeline", "limits", "health", "sanitize"]
ABILITIES: Final[tuple[Ability, ...]] = (
    "compile", "diagnostics", "schedule", "run", "timeline", "limits", "health", "sanitize",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plugin:
    """make: from a folder for what is built once; raises TargetError when something it needs is not here.

    origin: where the plug-in was found. gaps: what this target cannot do, and why: the contract's tests and `doctor`
    say so. header: what it offers to sources, None when nothing. trust: who says how long a call took.
    make_with: as make, by a compiler of a name or path; None where there is no choice. hardware: what it runs on, for
    the lock that programs of this machine share; "" when no other target runs on it.
    """

    name: str
    title: str
    make: Callable[[Path], Target]
    origin: str = "built in"
    dialect: Dialect = field(default_factory=Dialect)
    gaps: Mapping[Ability, str] = field(default_factory=dict)
    header: Path | None = None
    trust: str = "referee-timed"
    make_with: Callable[[Path, str], Target] | None = None
    hardware: str = ""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A plug-in that was found and cannot be used. why: what was asked, what was found, what to do."""

    name: str
    origin: str
    why: str
