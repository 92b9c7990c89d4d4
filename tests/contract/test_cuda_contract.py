"""The contract of targets, for CUDA: what needs a GPU is skipped with the reason where none is."""

from pathlib import Path

import pytest

from kernels.targets.base import Target, TargetError
from kernels.targets.cuda.plugin import PLUGIN
from kernels.targets.plugin import Plugin
from tests.contract.kit import COLUMNS, ROWS, sources_of
from tests.contract.target_contract import Sources, TargetContract

GOOD = f"""#include "kernelwright.h"

extern "C" __global__ void mv(const float *W, const float *x, float scale, float *y) {{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int column = 0; column < {COLUMNS}; column++) sum += W[row * {COLUMNS} + column] * x[column];
    y[row] = sum * scale;
}}

KW_LAUNCH(mv, {ROWS}, 4);
"""
SHAPED = """#include "kernelwright.h"

extern "C" __global__ void mv(const float *W, const float *x, float *y, int32_t M, int32_t K) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M) return;
    float sum = 0.0f;
    for (int column = 0; column < K; column++) sum += W[row * K + column] * x[column];
    y[row] = sum;
}

KW_LAUNCH(mv, (M + 3) / 4 * 4, 4);
"""


@pytest.mark.long
@pytest.mark.device
class TestCuda(TargetContract):
    @pytest.fixture(scope="class")
    def plugin(self) -> Plugin:
        return PLUGIN

    @pytest.fixture(scope="class")
    def target(self, tmp_path_factory: pytest.TempPathFactory) -> Target:
        try:
            return PLUGIN.make(tmp_path_factory.mktemp("cache"))
        except TargetError as error:
            raise pytest.skip.Exception(str(error)) from error

    @pytest.fixture(scope="class")
    def sources(self, tmp_path_factory: pytest.TempPathFactory) -> Sources:
        return sources_of(tmp_path_factory.mktemp("packs"), PLUGIN.dialect, GOOD, SHAPED)

    def test_every_probe_and_the_empty_kernel_build(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        probes = target.probes(sources.spec)
        empty = target.empty(sources.spec)
        assert len(probes) >= 4
        assert empty is not None
        for name, one in {**probes, "empty": empty}.items():
            assert target.compile(one, sources.spec, tmp_path / name).path.is_file()

    def test_a_strict_build_is_other_code(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        strict = target.compile_strict(sources.good, sources.spec, tmp_path).machine_code_sha256
        assert strict != target.compile(sources.good, sources.spec, tmp_path).machine_code_sha256
