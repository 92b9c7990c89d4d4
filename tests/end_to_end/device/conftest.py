"""Fixtures of the device tests: the real target, and a referee on a tiny pack."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from typing_extensions import override

from kernels.device.client import Device
from kernels.packs.loader import load_pack
from kernels.targets.base import Artefact, Target
from kernels.targets.cpu_c.target import CpuC
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec, Pack
from tests.end_to_end.device.tiny import HONEST, KERNEL, REFERENCE, ROWS, Build, compile_unscanned, source


class OnceCompiling(CpuC):
    """The target, but the same candidate is compiled once a session."""

    def __init__(self, cache: Path) -> None:
        super().__init__(cache)
        self._once: dict[str, Artefact] = {}

    @override
    def compile(
        self, candidate: Candidate, spec: KernelSpec, folder: Path, *, profile: bool = False, sanitize: bool = False
    ) -> Artefact:
        if candidate.id not in self._once:
            self._once[candidate.id] = super().compile(candidate, spec, folder, profile=profile, sanitize=sanitize)
        return self._once[candidate.id]


@pytest.fixture(scope="session")
def tiny_pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    folder = tmp_path_factory.mktemp("packs") / "tiny"
    folder.mkdir()
    (folder / "pack.toml").write_text('name = "tiny"\ntitle = "tiny"\nkernels = ["mv", "odd", "big"]\n')
    for name, rows in ROWS.items():
        kernel = folder / name
        kernel.mkdir()
        (kernel / "kernel.toml").write_text(KERNEL.format(name=name, rows=rows))
        (kernel / "reference.py").write_text(REFERENCE)
        (kernel / "baseline.c").write_text(source(name, HONEST))
    return load_pack(folder)


@pytest.fixture(scope="session")
def target(tmp_path_factory: pytest.TempPathFactory) -> Target:
    return OnceCompiling(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def build(tiny_pack: Pack, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """(kernel, body) to a shared object."""
    known: dict[tuple[str, str], Path] = {}

    def made(kernel: str, body: str) -> Path:
        if (kernel, body) not in known:
            folder = tmp_path_factory.mktemp("object")
            known[kernel, body] = compile_unscanned(source(kernel, body), tiny_pack.kernel(kernel), folder)
        return known[kernel, body]

    return made


@pytest.fixture
async def device(tiny_pack: Pack, target: Target, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Device]:
    one = await Device.start(target, tiny_pack, tmp_path_factory.getbasetemp() / "device")
    yield one
    await one.close()
