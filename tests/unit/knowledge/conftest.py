"""One target for the session."""

import pytest

from kernels.targets.base import TargetError
from kernels.targets.cpu_c.target import CpuC


@pytest.fixture(scope="session")
def target(tmp_path_factory: pytest.TempPathFactory) -> CpuC:
    try:
        return CpuC(tmp_path_factory.mktemp("cache"))
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error
