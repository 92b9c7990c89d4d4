"""The contract of targets, for OpenCL on PoCL."""

from pathlib import Path

import pytest

from kernels.targets.base import Target, TargetError
from kernels.targets.opencl.plugin import PLUGIN
from kernels.targets.plugin import Plugin
from tests.contract.kit import COLUMNS, ROWS, sources_of
from tests.contract.target_contract import Sources, TargetContract

GOOD = f"""#include "kernelwright.h"

__kernel void mv(__global const float *W, __global const float *x, float scale, __global float *y) {{
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int column = 0; column < {COLUMNS}; column++) sum += W[row * {COLUMNS} + column] * x[column];
    y[row] = sum * scale;
}}

KW_LAUNCH(mv, {ROWS}, 4);
"""
SHAPED = """#include "kernelwright.h"

__kernel void mv(__global const float *W, __global const float *x, __global float *y, int M, int K) {
    int row = get_global_id(0);
    if (row >= M) return;
    float sum = 0.0f;
    for (int column = 0; column < K; column++) sum += W[row * K + column] * x[column];
    y[row] = sum;
}

KW_LAUNCH(mv, (M + 3) / 4 * 4, 4);
"""


@pytest.mark.long
@pytest.mark.device
class TestOpenCl(TargetContract):
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

    def test_the_probes_and_the_empty_kernel_build(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        probes = target.probes(sources.spec)
        empty = target.empty(sources.spec)
        assert len(probes) >= 4
        assert empty is not None
        for name, one in {"shares": probes["shares"], "pieces": probes["pieces_64k"], "empty": empty}.items():
            target.compile(one, sources.spec, tmp_path / name)
