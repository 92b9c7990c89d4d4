"""Weights of one epoch: the stored arrays, and the decoded base of every matrix."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from kernels.packs.generator import generate
from kernels.packs.loader import WeightRegime, generators
from kernels.packs.matrix import BaseMatrix, Stored
from kernels.values.kernel import KernelSpec


def draw_weights(spec: KernelSpec, seed: int, regime: WeightRegime = "generated") -> dict[str, NDArray[Any]]:
    """Stored arrays of all weight arguments."""
    chosen = generators(spec, regime)
    return {a.name: generate(a.name, chosen[a.name], a.dtype, a.shape, seed) for a in spec.weights}


def decode_bases(
    spec: KernelSpec, arrays: Stored, reuse: Mapping[str, BaseMatrix] | None = None
) -> dict[str, BaseMatrix]:
    """The decoded base of every matrix by name. reuse: bases of an earlier epoch, whose memory is written over."""
    old = reuse or {}
    return {m.name: BaseMatrix.from_stored(spec, m, arrays, old.get(m.name)) for m in spec.matrices}


def plain_weights(spec: KernelSpec) -> tuple[str, ...]:
    """Names of the weight arguments that belong to no matrix: the reference gets them like inputs."""
    inside = {m.codes for m in spec.matrices} | {m.scales for m in spec.matrices}
    return tuple(a.name for a in spec.weights if a.name not in inside)
