"""The runner binary once a session, memory for each test, candidates built once a text."""

from collections.abc import Callable, Generator, Sequence
from pathlib import Path

import pytest

from kernels.targets.base import TargetError
from kernels.targets.cpu_c.target import CpuC
from tests.unit.sandbox import kit

Make = Callable[..., Path]


@pytest.fixture(scope="session")
def binary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return CpuC(tmp_path_factory.mktemp("cache")).runner_binary()
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error


@pytest.fixture
def bench(binary: Path) -> Generator[kit.Bench]:
    made = kit.Bench(binary)
    yield made
    made.close()


@pytest.fixture(scope="session")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """(body, prelude, flags) to a shared object."""
    known: dict[tuple[str, str, tuple[str, ...]], Path] = {}

    def built(body: str = kit.HONEST, prelude: str = "", flags: Sequence[str] = ()) -> Path:
        key = (body, prelude, tuple(flags))
        if key not in known:
            known[key] = kit.build(tmp_path_factory.mktemp("candidate"), body, prelude, flags)
        return known[key]

    return built
