"""What the levers for OpenCL C write answers as the baseline does: floats, bytes, two codes a byte, scales."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.device.strict import answering
from kernels.levers import registry
from kernels.levers.base import Context
from kernels.packs.loader import baseline, load_pack
from kernels.packs.weights import draw_weights
from kernels.targets.base import TargetError
from kernels.targets.opencl.plugin import PLUGIN
from kernels.targets.opencl.target import OpenCl
from kernels.values.candidate import Candidate
from kernels.values.formats import decode, f32_to_bf16
from kernels.values.kernel import KernelSpec

pytestmark = [pytest.mark.device, pytest.mark.long]


@pytest.fixture(scope="module")
def opencl(tmp_path_factory: pytest.TempPathFactory) -> OpenCl:
    try:
        return OpenCl(tmp_path_factory.mktemp("cache"))
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error


def values_of(spec: KernelSpec) -> dict[str, Any]:
    rng = np.random.default_rng(5)
    drawn: dict[str, Any] = dict(draw_weights(spec, 5))
    for one in spec.arguments:
        if one.role in ("input", "inout"):
            values = rng.uniform(0.25, 1.0, one.storage_shape).astype(np.float32)
            whole = rng.integers(0, 100, one.storage_shape).astype(one.format.storage)
            drawn[one.name] = f32_to_bf16(values) if one.dtype == "bf16" else values if one.dtype == "f32" else whole
    return drawn


def answers(opencl: OpenCl, candidate: Candidate, spec: KernelSpec, values: Mapping[str, Any], folder: Path) -> Any:
    artefact = opencl.compile(candidate, spec, folder / candidate.id).path
    with answering(opencl, spec, artefact, folder / "memory", "lever") as one:
        return one.outputs(values)


@pytest.mark.parametrize("shape", ["decode_1", "edge_17", "edge_33"])
def test_one_build_answers_at_every_shape(opencl: OpenCl, tmp_path: Path, shape: str) -> None:
    whole = load_pack("gemm_bf16").kernel("gemm")
    spec = next(one for one in whole.cases if one.shape == shape)
    artefact = opencl.compile(baseline(whole, PLUGIN.dialect), whole, tmp_path / "build").path
    values = values_of(spec)
    with answering(opencl, spec, artefact, tmp_path / "memory", shape) as one:
        got = one.outputs(values)["Y"]
    x, w = (decode(values[name], "bf16").astype(np.float64) for name in ("X", "W"))
    np.testing.assert_allclose(got, x @ w.T, rtol=0.01, atol=0.02)


@pytest.mark.parametrize(
    ("pack", "kernel"),
    [("axpy_gemv", "axpy"), ("axpy_gemv", "gemv"), ("gemma_decode", "attn_out"), ("gemma_decode", "ffn")],
)
def test_every_sketch_answers_as_the_baseline_does(opencl: OpenCl, tmp_path: Path, pack: str, kernel: str) -> None:
    spec = load_pack(pack).kernel(kernel)
    first, context, values = baseline(spec, PLUGIN.dialect), Context(spec, opencl.machine), values_of(spec)
    right = answers(opencl, first, spec, values, tmp_path)
    found = [a for a in registry.applications(first, context) if a.family == "sketch"]
    assert found
    for application in found[:: 3 if kernel == "ffn" else 1]:
        got = answers(opencl, registry.apply(first, application, context), spec, values, tmp_path)
        for name, want in right.items():
            scale = np.abs(want[np.isfinite(want)]).max()
            np.testing.assert_allclose(got[name], want, rtol=0.02, atol=2e-3 * scale, err_msg=application.lever)
