"""The contract of targets, for cpu-c."""

import pytest

from kernels.targets.base import Target, TargetError
from kernels.targets.cpu_c.target import CpuC
from tests.contract.target_contract import Sources, TargetContract
from tests.unit.targets.kit import HONEST, candidate, spec_of


class TestCpuC(TargetContract):
    @pytest.fixture(scope="class")
    def target(self, tmp_path_factory: pytest.TempPathFactory) -> Target:
        try:
            return CpuC(tmp_path_factory.mktemp("cache"))
        except TargetError as error:
            raise pytest.skip.Exception(str(error)) from error

    @pytest.fixture(scope="class")
    def sources(self) -> Sources:
        return Sources(
            spec_of(), candidate(), candidate(f"/* the same */ {HONEST}"),
            candidate(HONEST.replace("* scale", "- scale")), candidate("int oops("),
        )  # fmt: skip
