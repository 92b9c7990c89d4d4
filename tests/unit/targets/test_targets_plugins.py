"""Plug-ins of targets: found, preferred by place, and named with the reason when they cannot be used."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from kernels.sandbox.starter import Native, StarterCall, native
from kernels.targets import discovery
from kernels.targets.base import TargetError
from kernels.targets.cpu_c.target import CpuC
from kernels.targets.plugin import Plugin, Unusable
from kernels.targets.registry import found, get_target, header_of, plugin, plugins

MINE = Plugin("mine", "an installed one", CpuC)


def make() -> Plugin:
    return MINE


def broken() -> Plugin:
    raise OSError("the licence server does not answer")


def install(monkeypatch: pytest.MonkeyPatch, **points: str) -> None:
    made = [EntryPoint(name, f"{__name__}:{what}", discovery.GROUP) for name, what in points.items()]
    monkeypatch.setattr(discovery, "entry_points", lambda group: made if group == discovery.GROUP else [])


def test_what_ships_is_found_by_its_folder() -> None:
    assert plugins()["cpu-c"].origin == "built in"
    assert "KW_SPAN_BEGIN" in header_of("cpu-c")


@pytest.mark.parametrize("what", ["MINE", "make"])
def test_an_installed_plugin_is_a_target_like_any_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str
) -> None:
    install(monkeypatch, mine=what)
    assert plugin("mine").title == "an installed one"
    assert get_target("mine", tmp_path).name == "cpu-c"


def test_a_plugin_that_cannot_be_read_takes_no_other_down(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, bad="broken", gone="nothing_of_that_name", wrong="install")
    listed = {one.name: one for one in found()}
    assert isinstance(listed["cpu-c"], Plugin)
    assert {name for name, one in listed.items() if isinstance(one, Unusable)} == {"bad", "gone", "wrong"}
    with pytest.raises(TargetError, match="the licence server does not answer"):
        plugin("bad")


def test_an_unknown_target_names_those_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=r"none of that name\. Known targets: .*cpu-c.*targets"):
        get_target("abacus", tmp_path)


def test_a_starter_reaches_the_referee_as_json() -> None:
    call = native(Path("/somewhere/runner"))
    assert StarterCall.from_json(call.to_json()).make() == Native("/somewhere/runner")
    with pytest.raises(ValueError, match="nobody"):
        StarterCall("kernels.sandbox.starter:nobody").make()
