"""The contract of targets, for the target file of the documentation."""

import pytest

from kernels.targets.base import Target
from kernels.targets.external.finder import plugin_of
from kernels.targets.external.recipe import read_recipe
from kernels.targets.plugin import Plugin
from tests.contract.kit import c_sources
from tests.contract.target_contract import Sources, TargetContract
from tests.unit.targets.external_kit import TOY, toy


class TestExternal(TargetContract):
    @pytest.fixture(scope="class")
    def plugin(self) -> Plugin:
        return plugin_of("toy", read_recipe(TOY), TOY.parent, str(TOY))

    @pytest.fixture(scope="class")
    def target(self, tmp_path_factory: pytest.TempPathFactory) -> Target:
        return toy(tmp_path_factory.mktemp("cache"), timeout_s=2.0)

    @pytest.fixture(scope="class")
    def sources(self, tmp_path_factory: pytest.TempPathFactory) -> Sources:
        return c_sources(tmp_path_factory.mktemp("pack"))
