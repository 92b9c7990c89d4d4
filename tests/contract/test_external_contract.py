"""The contract of targets, for the target file of the documentation."""

from pathlib import Path

import pytest

from kernels.targets.base import Target, TargetError
from kernels.targets.external.finder import plugin_of
from kernels.targets.external.recipe import read_recipe
from kernels.targets.plugin import Plugin
from kernels.targets.registry import plugin as found_plugin
from kernels.targets.rngd.plugin import PLUGIN as RNGD
from kernels.targets.rngd.stand_in.setup import set_up
from tests.contract.kit import c_sources
from tests.contract.target_contract import Sources, TargetContract
from tests.unit.targets.external_kit import TOY, toy


class TestExternal(TargetContract):
    @pytest.fixture(scope="class")
    def plugin(self) -> Plugin:
        return plugin_of("toy", read_recipe(TOY), TOY, str(TOY))

    @pytest.fixture(scope="class")
    def target(self, tmp_path_factory: pytest.TempPathFactory) -> Target:
        return toy(tmp_path_factory.mktemp("cache"), timeout_s=2.0)

    @pytest.fixture(scope="class")
    def sources(self, tmp_path_factory: pytest.TempPathFactory) -> Sources:
        return c_sources(tmp_path_factory.mktemp("pack"))


@pytest.mark.long
class TestStandIn(TargetContract):
    """The stand-in for RNGD."""

    @pytest.fixture(scope="class")
    def workspace(self, tmp_path_factory: pytest.TempPathFactory) -> Path:
        folder = tmp_path_factory.mktemp("workspace")
        set_up(folder, quota=0.0, hang=0.0)
        return folder

    @pytest.fixture(scope="class")
    def plugin(self, workspace: Path) -> Plugin:
        return found_plugin("rngd", workspace)

    @pytest.fixture(scope="class")
    def target(self, plugin: Plugin, tmp_path_factory: pytest.TempPathFactory) -> Target:
        return plugin.make(tmp_path_factory.mktemp("cache"))

    @pytest.fixture(scope="class")
    def sources(self, tmp_path_factory: pytest.TempPathFactory) -> Sources:
        return c_sources(tmp_path_factory.mktemp("pack"))


class TestRngd(TargetContract):
    """RNGD itself, where its toolchain and a login are."""

    @pytest.fixture(scope="class")
    def plugin(self) -> Plugin:
        return RNGD

    @pytest.fixture(scope="class")
    def target(self, plugin: Plugin, tmp_path_factory: pytest.TempPathFactory) -> Target:
        try:
            return plugin.make(tmp_path_factory.mktemp("cache"))
        except TargetError as error:
            raise pytest.skip.Exception(str(error)) from error

    @pytest.fixture(scope="class")
    def sources(self, target: Target) -> Sources:
        raise pytest.skip.Exception("no sources of RNGD kernels ship: they need its toolchain to be written against")
