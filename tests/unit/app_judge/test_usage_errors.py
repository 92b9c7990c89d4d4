"""What a person gets wrong is named before a device is started: asked, found, what to do; exit 2."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from store.lock import EngineLock

Command = Callable[..., Any]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "k.c"
    path.write_text('#include "kernelwright.h"\n')
    return path


@pytest.mark.parametrize("verb", ["check", "accept"])
def test_unknown_kernels_and_packs(command: Command, file: Path, verb: str) -> None:
    unknown = command(verb, "conv2d", file)
    assert unknown.code == 2
    assert "axpy_gemv/gemv" in unknown.err
    assert command(verb, "axpy_gemv/conv2d", file).code == 2
    assert command(verb, "gemv", file, "--pack", "no_pack").code == 2
    target = command(verb, "gemv", file, "--target", "abacus")
    assert (target.code, "cpu-c" in target.err) == (2, True)


@pytest.mark.parametrize("verb", ["check", "accept"])
def test_unreadable_files(command: Command, tmp_path: Path, verb: str) -> None:
    absent = command(verb, "gemv", tmp_path / "none.c")
    assert absent.code == 2
    assert "none.c" in absent.err
    assert "void gemv(" in absent.err
    assert command(verb, "gemv", tmp_path).code == 2
    binary = tmp_path / "binary.c"
    binary.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in command(verb, "gemv", binary).err


def test_unknown_rules_and_heads(command: Command, file: Path) -> None:
    rule = command("accept", "gemv", file, "--rule", "luck")
    assert rule.code == 2
    assert "paired" in rule.err
    assert "luck" in rule.err
    assert command("accept", "gemv", file, "--against", "yesterday").code == 2
    assert command("judge", "calibrate", "conv2d").code == 2
    assert command("judge").code == 2


def test_a_home_owned_by_something_else(command: Command, home: Path, file: Path) -> None:
    with EngineLock.acquire(home):
        said = command("check", "gemv", file)
    assert said.code == 3
    assert "owns" in said.err
