"""What an experiment is run on: its plan, the pack, kernels and target that it names; and what hears of it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.begin import chosen_kernels
from app.experiment.plan import Plan
from kernels.packs.loader import load_pack
from kernels.targets.base import Target
from kernels.targets.registry import get_target
from kernels.values.kernel import KernelSpec, Pack

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Ground:
    """What a plan is run on. kernels: of the pack, those that it names."""

    plan: Plan
    home: Path
    workspace: Path
    pack: Pack
    target: Target
    kernels: tuple[KernelSpec, ...]

    @property
    def device(self) -> str:
        return self.target.fingerprint.device


def ground_of(plan: Plan, home: Path, workspace: Path) -> Ground:
    """Raises: UsageError, PackError, TargetError."""
    settings = plan.control.settings
    pack = load_pack(settings.pack, workspace)
    target = get_target(settings.target, home / "cache", workspace, settings.compiler)
    return Ground(plan, home, workspace, pack, target, tuple(chosen_kernels(pack, settings.kernels)))
