"""The way to full isolation is said where it is missing, and only there."""

from pathlib import Path

import pytest

from kernels.sandbox import advice as module
from kernels.sandbox.advice import advice
from kernels.sandbox.launch import Launcher


def test_nothing_is_said_at_the_full_level() -> None:
    assert advice(Launcher("bwrap+seccomp", "/usr/bin/bwrap")) == ""


def test_a_missing_tool_is_to_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TOOLS", "/nowhere")
    assert "apt-get install bubblewrap" in advice(Launcher("unshare+seccomp", "/usr/bin/unshare"))


@pytest.mark.parametrize(
    ("switch", "value", "said"),
    [
        ("kernel/unprivileged_userns_clone", "0\n", "sysctl kernel.unprivileged_userns_clone forbids"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1\n", "sysctl kernel.apparmor_restrict_unprivileged_userns"),
        ("user/max_user_namespaces", "15000\n", "container"),
    ],
)
def test_what_forbids_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, switch: str, value: str, said: str
) -> None:
    tool = tmp_path / "bwrap"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setattr(module, "TOOLS", str(tmp_path))
    (tmp_path / switch).parent.mkdir(parents=True)
    (tmp_path / switch).write_text(value)
    assert said in advice(Launcher("rlimits+seccomp"), tmp_path)
