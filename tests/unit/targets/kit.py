"""Specs and candidates of target tests."""

from collections.abc import Mapping
from pathlib import Path

from kernels.values.candidate import Candidate
from kernels.values.kernel import Argument, KernelSpec, ThreadContract, Tolerance

HONEST = """
    for (int i = 0; i < 8; i++) {
        float s = 0;
        for (int j = 0; j < 64; j++) s += W[i * 64 + j] * x[j];
        y[i] = s * scale;
    }
"""


def spec_of(threads: ThreadContract = "pool", weights: tuple[Argument, ...] = ()) -> KernelSpec:
    arguments = (
        *(weights or (Argument("W", "f32", (8, 64), "weight"),)),
        Argument("x", "f32", (64,), "input"),
        Argument("scale", "f32", (), "input"),
        Argument("y", "f32", (8,), "output"),
    )
    tolerances = {"y": Tolerance(1e-4, 1e-4)}
    return KernelSpec("kit", "mv", "mv", "y", arguments, tolerances, (), ("random",), Path(), threads=threads)


def candidate(
    body: str = HONEST, prelude: str = "", *, flags: tuple[str, ...] = (), files: Mapping[str, str] | None = None
) -> Candidate:
    """files: further files of the bundle."""
    text = f'#include "kernelwright.h"\n{prelude}\n{spec_of().prototype} {{ {body} }}\n'
    return Candidate("mv", {"kernel.c": text, **(files or {})}, flags=flags)
