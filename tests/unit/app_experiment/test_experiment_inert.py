"""Arms that cannot change what a brain does on a pack are named with the reason; what may matter is not."""

from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from app.experiment import inert
from app.experiment.ground import Ground
from app.experiment.inert import runs
from app.experiment.plan import read
from kernels.packs.loader import load_pack
from kernels.targets.base import Target
from kernels.values.machine import Machine


class StubTarget:
    """No static cost model."""

    name = "none"
    machine = Machine("test", "x86_64", frozenset({"avx2", "fma", "f16c"}), 2)


def ground(
    folder: Path, control: str, arm: str, *, pack: str = "axpy_gemv", kernels: str = "", positions: str = "100"
) -> Ground:
    only = f"kernels = {kernels}\n" if kernels else ""
    path = folder / "e.toml"
    path.write_text(
        f'pack = "{pack}"\ntrajectories = 2\n{only}[budget]\npositions = {positions}\n'
        f'[[arm]]\nname = "control"\n{control}\n[[arm]]\nname = "arm"\n{arm}\n'
    )
    plan, found = read(path, folder), load_pack(pack)
    names = plan.control.settings.kernels or tuple(k.name for k in found.kernels)
    specs = tuple(found.kernel(name) for name in names)
    return Ground(plan, folder, folder, found, cast(Target, StubTarget()), specs)


def reason(folder: Path, control: str, arm: str, **more: str) -> str:
    on = ground(folder, control, arm, **more)
    return inert.reason(on, on.plan.arms[0], on.plan.arms[1])


@pytest.mark.parametrize(
    ("control", "arm", "more", "why"),
    [
        ("", "", {}, "it has the settings of control"),
        ("agents = 1", "agents = 2", {"kernels": '["gemv"]'}, "there is one kernel"),
        ("agents = 2", "agents = 9", {}, "there are 2 kernels"),
        ("", "leaderboard = false", {}, "only models read it"),
        ("", "static_gate = false", {}, "no static cost model"),
        ("", "plateau = false", {"positions": "12"}, "begins after 12 attempts"),
        ("", "races = false", {"positions": "7"}, "at most half of what is left"),
        ("", "trace_gate = false", {"kernels": '["axpy"]'}, "one-lever change"),
        ("", "plateau = false", {"kernels": '["axpy"]'}, "has a design to be drafted"),
        ("", "memory = 'none'", {}, "hears of other kernels of one type only"),
        ("", "siblings = false", {"kernels": '["gemv"]'}, "hears of other kernels of one type only"),
        ("memory = 'none'", "memory = 'private'", {"pack": "gemma_decode"}, "neither of both arms tells"),
        ("memory = 'bounded 9'", "memory = 'unbounded'", {"pack": "gemma_decode", "positions": "9"}, "cannot overflow"),
        ("brain = 'offline:random'", "brain = 'offline:random'\nplateau = 3", {}, "knows no plateaus"),
        ("brain = 'offline:random'", "brain = 'offline:random'\npriors = false", {}, "random search reads is switched"),
        ("", "agents = 9\nleaderboard = false", {"kernels": '["gemv"]'}, "agents: .*; leaderboard: "),
    ],
)  # fmt: skip
def test_what_cannot_matter_says_why(tmp_path: Path, control: str, arm: str, more: dict[str, str], why: str) -> None:
    import re

    assert re.search(why, reason(tmp_path, control, arm, **more))


@pytest.mark.parametrize(
    ("control", "arm", "more"),
    [
        ("agents = 1", "agents = 2", {}),
        ("", "rule = 'paper'", {}),
        ("", "brain = 'offline:random'", {}),
        ("", "races = false", {}),
        ("", "trace_gate = false", {}),
        ("", "plateau = false", {"pack": "gemma_decode"}),
        ("", "priors = false", {}),
        ("", "knowledge = false", {}),
        ("", "rules = false", {}),
        ("", "min_gain = 0.0", {"positions": "4"}),
        ("", "memory = 'none'", {"pack": "gemma_decode"}),
        ("memory = 'bounded 2'", "memory = 'unbounded'", {"pack": "gemma_decode"}),
        ("brain = 'anthropic'\nusd = 1", "brain = 'anthropic'\nusd = 1\nleaderboard = false", {}),
        ("", "leaderboard = false\nrule = 'paper'", {}),
    ],
)  # fmt: skip
def test_what_may_matter_is_run(tmp_path: Path, control: str, arm: str, more: dict[str, str]) -> None:
    on = ground(tmp_path, control, arm, **more)
    assert inert.reason(on, *on.plan.arms) == ""
    assert [one.name for one in runs(on)] == ["control", "arm"]


def test_what_is_idle_of_an_arm_that_may_matter_is_remarked(tmp_path: Path) -> None:
    on = ground(tmp_path, "", "leaderboard = false\nrule = 'paper'")
    assert list(inert.remarks(on, *on.plan.arms)) == ["leaderboard"]
    assert inert.changes(*(arm.settings for arm in on.plan.arms)) == {"leaderboard": False, "rule": "paper"}


def test_what_several_settings_have_in_common_is_said_once(tmp_path: Path) -> None:
    on = ground(tmp_path, "memory = 'private'\nsiblings = false", "memory = 'bounded 16'\nrule = 'paper'")
    assert list(inert.remarks(on, *on.plan.arms)) == ["memory_shared", "siblings"]
    (said,) = inert.said(on, *on.plan.arms)
    assert said.startswith("memory: the offline policy hears of other kernels of one type only")


def test_an_idle_arm_is_run_only_where_noise_is_wanted(tmp_path: Path) -> None:
    on = ground(tmp_path, "", "leaderboard = false")
    assert [one.name for one in runs(on)] == ["control"]
    wanted = replace(on, plan=replace(on.plan, idle_too=True))
    assert [one.name for one in runs(wanted)] == ["control", "arm"]


def test_an_arm_may_do_what_another_one_does_that_is_not_the_control(tmp_path: Path) -> None:
    on = ground(tmp_path, "", "agents = 1\n[[arm]]\nname = 'third'\nagents = 1\nleaderboard = false")
    assert inert.idle(on, on.plan.arms[2]).startswith("it does what arm does: leaderboard")
    assert [one.name for one in runs(on)] == ["control", "arm"]
