"""One device for all candidates of a file."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from app.gates import gates_for
from kernels.cheats.examine import Examiner, examiner
from kernels.targets.cpu_c.target import CpuC


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def found(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Examiner]:
    folder = tmp_path_factory.mktemp("cheats")
    async with examiner(CpuC(folder / "cache"), folder, gates_for) as one:
        yield one
