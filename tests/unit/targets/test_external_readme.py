"""The target file that the documentation shows works as it stands there."""

import re
from pathlib import Path

import pytest

from kernels.targets.base import TargetError
from kernels.targets.external.target import External
from kernels.targets.registry import get_target
from tests.unit.targets.external_kit import call, source
from tests.unit.targets.kit import spec_of

PAGE = Path(__file__).parents[3] / "docs/targets.md"


def test_the_target_file_of_the_page_is_a_target(tmp_path: Path) -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## Bring a target of your own")[2]
    found = re.search(r"```toml\n(.*?)```", section, re.DOTALL)
    assert found is not None
    (tmp_path / "targets").mkdir()
    (tmp_path / "targets" / "mine.toml").write_text(found.group(1))
    try:
        target = get_target("mine", tmp_path / "cache", tmp_path)
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error
    assert isinstance(target, External)
    assert target.machine.model == "this host, device-timed"
    built = target.compile(source(), spec_of(), tmp_path / "work")
    assert 0 < call(target, built.path, tmp_path / "memory") < 1e6
