"""Targets by name."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from kernels.targets.base import Target, TargetError
from kernels.targets.cpu_c.target import CpuC

TARGETS: Final[dict[str, Callable[[Path], Target]]] = {"cpu-c": CpuC}


def get_target(name: str, cache: Path) -> Target:
    """cache: folder for what is built once. Raises: TargetError for an unknown name or a missing compiler."""
    if name not in TARGETS:
        raise TargetError(f"target {name!r}", "there is none of that name", f"Known targets: {', '.join(TARGETS)}")
    return TARGETS[name](cache)
