"""The contract of targets, for CUDA: what needs a GPU is skipped with the reason where none is."""

from pathlib import Path

import pytest

from kernels.targets.base import Target, TargetError
from kernels.targets.cuda.plugin import PLUGIN
from kernels.targets.plugin import Plugin
from kernels.values.candidate import Candidate
from tests.contract.kit import small_pack
from tests.contract.target_contract import Sources, TargetContract
from tests.unit.targets.kit import spec_of

GOOD = """#include "kernelwright.h"

extern "C" __global__ void mv(const float *W, const float *x, float scale, float *y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
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
        return Sources(
            spec_of(), candidate(), candidate(f"/* the same */ {GOOD}"), candidate(GOOD.replace("* scale", "- scale")),
            candidate(GOOD.replace("sum * scale", "sums * scale")),
            candidate(GOOD.replace("y[row] = ", "for (volatile int i = 0;; i++) y[row] = ")),
            small_pack(tmp_path_factory.mktemp("pack"), candidate(), PLUGIN.dialect.baseline), broken_line=7,
        )  # fmt: skip

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
