"""What a kernel without another reference is judged by: its baseline in the language of the target."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kernels.device.trusted import build_reference
from kernels.packs.loader import load_pack
from kernels.targets.base import Target
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec


class Strict:
    """Keeps what it was asked to build strictly."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.built: list[Candidate] = []

    def compile_strict(self, candidate: Candidate, spec: KernelSpec, folder: Path) -> Any:
        self.built.append(candidate)
        return SimpleNamespace(path=folder / spec.name)


@pytest.mark.parametrize(
    ("name", "language", "main"),
    [("cpu-c", "c", "kernel.c"), ("opencl", "opencl", "kernel.cl"), ("cuda", "cuda", "kernel.cu")],
)
def test_a_baseline_is_its_own_reference_in_the_language_of_the_target(
    name: str, language: str, main: str, tmp_path: Path
) -> None:
    target, spec = Strict(name), load_pack("axpy_gemv").kernel("gemv")
    assert build_reference(cast("Target", target), spec, tmp_path) is None
    path = build_reference(cast("Target", target), replace(spec, reference="baseline"), tmp_path)
    (candidate,) = target.built
    assert (candidate.language, candidate.main) == (language, main)
    assert path == tmp_path / candidate.id / "gemv"
