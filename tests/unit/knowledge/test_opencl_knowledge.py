"""What ships for OpenCL: rules that hold under this PoCL, probes that say what a launch and a group cost."""

from pathlib import Path

import pytest

from kernels.targets.base import TargetError
from kernels.targets.opencl.target import OpenCl
from knowledge.probes.catalogue import definitions
from knowledge.probes.measure import measure
from knowledge.rules.plant import plant
from knowledge.rules.rule import Rule
from knowledge.rules.shipped import shipped_rules

pytestmark = [pytest.mark.device, pytest.mark.long]


@pytest.fixture(scope="module")
def opencl(tmp_path_factory: pytest.TempPathFactory) -> OpenCl:
    try:
        return OpenCl(tmp_path_factory.mktemp("cache"))
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error


@pytest.mark.parametrize("rule", shipped_rules("opencl"), ids=lambda rule: rule.name)
def test_a_rule_holds(opencl: OpenCl, tmp_path: Path, rule: Rule) -> None:
    found = plant(rule, opencl, tmp_path)
    assert found.answer == "holds", found.found


@pytest.mark.parametrize("name", ["launch", "work_group"])
def test_a_probe_measures(opencl: OpenCl, tmp_path: Path, name: str) -> None:
    definition = next(one for one in definitions("opencl") if one.name == name)
    found = measure(definition, opencl, tmp_path, readings=2)
    assert len(found.readings) == 8
    assert 0 < found.spread.low <= found.spread.value
