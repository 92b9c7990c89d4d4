"""The contract of targets, for OpenCL on PoCL."""

from pathlib import Path

import pytest

from kernels.targets.base import Target, TargetError
from kernels.targets.opencl.plugin import PLUGIN
from kernels.targets.plugin import Plugin
from kernels.values.candidate import Candidate
from tests.contract.kit import small_pack
from tests.contract.target_contract import Sources, TargetContract
from tests.unit.targets.kit import spec_of

GOOD = """#include "kernelwright.h"

__kernel void mv(__global const float *W, __global const float *x, float scale, __global float *y) {
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int column = 0; column < 64; column++) sum += W[row * 64 + column] * x[column];
    y[row] = sum * scale;
}

KW_LAUNCH(mv, 8, 4);
"""


def candidate(source: str = GOOD) -> Candidate:
    return PLUGIN.dialect.candidate("mv", source)


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
        return Sources(
            spec_of(), candidate(), candidate(f"/* the same */ {GOOD}"), candidate(GOOD.replace("* scale", "- scale")),
            candidate(GOOD.replace("sum * scale", "sums * scale")),
            candidate(GOOD.replace("y[row] = ", "for (volatile int i = 0;; i++) y[row] = ")),
            small_pack(tmp_path_factory.mktemp("pack"), candidate(), PLUGIN.dialect.baseline), broken_line=7,
        )  # fmt: skip

    def test_the_probes_and_the_empty_kernel_build(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        probes = target.probes(sources.spec)
        empty = target.empty(sources.spec)
        assert len(probes) >= 4
        assert empty is not None
        for name, one in {"shares": probes["shares"], "pieces": probes["pieces_64k"], "empty": empty}.items():
            target.compile(one, sources.spec, tmp_path / name)
