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


HEADERS: Final[dict[str, Path]] = {"cpu-c": Path(__file__).parent / "cpu_c" / "include" / "kernelwright.h"}


def header_of(name: str) -> str:
    """What a target offers to its sources, as the text of its header; "" when it has none."""
    return HEADERS[name].read_text(encoding="utf-8") if name in HEADERS else ""
