"""The contract of targets, for cpu-c."""

from pathlib import Path

import pytest

from kernels.targets.base import Target, TargetError
from kernels.targets.cpu_c.plugin import PLUGIN
from kernels.targets.plugin import Plugin
from tests.contract.kit import c_sources
from tests.contract.target_contract import Sources, TargetContract


@pytest.mark.device
class TestCpuC(TargetContract):
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
        return c_sources(tmp_path_factory.mktemp("pack"))

    def test_the_runner_is_built_once(self, target: Target) -> None:
        assert target.runner_binary() == target.runner_binary()
        assert target.runner_binary().is_file()

    def test_there_are_four_probes_at_least(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        probes = target.probes(sources.spec)
        assert len(probes) >= 4
        for style, probe in probes.items():
            assert probe.kernel == sources.spec.name
            target.compile(probe, sources.spec, tmp_path / style)

    def test_the_empty_kernel_builds(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        empty = target.empty(sources.spec)
        assert empty is not None
        target.compile(empty, sources.spec, tmp_path)
