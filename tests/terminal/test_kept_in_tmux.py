"""`--tmux`: the screen stays when its terminal goes away, and is there again; what is missing is said."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from app import tmux
from store import campaigns
from store.engine import DATABASE, Store
from store.migrate import upgrade
from store.older import is_older

ROOT = Path(__file__).resolve().parents[2]
NEEDS_TMUX = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with Store.open(tmp_path / "home") as store:
        store.write_sync(
            lambda s: campaigns.create(s, pack="kept", pack_digest="d", target="t", fingerprint="f", kernels=["gemv"])
        )
    return tmp_path / "home"


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """A server of tmux of its own."""
    folder = tmp_path / "tmux"
    folder.mkdir()
    inherited = {name: value for name, value in os.environ.items() if name != "TMUX"}
    made = {**inherited, "TMUX_TMPDIR": str(folder), "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    yield made
    subprocess.run(["tmux", "kill-server"], env=made, capture_output=True, check=False)


def attach(home: Path, environment: dict[str, str]) -> pexpect.spawn:
    words = ["-m", "app", "attach", "--tmux", "--read-only", "--home", str(home)]
    return pexpect.spawn(sys.executable, words, cwd=ROOT, env=environment, dimensions=(24, 80), timeout=60)


@NEEDS_TMUX
def test_the_screen_outlives_its_terminal(home: Path, environment: dict[str, str]) -> None:
    first = attach(home, environment)
    first.expect(b"kept")
    first.close(force=True)
    listed = subprocess.run(["tmux", "ls"], env=environment, capture_output=True, text=True, check=True).stdout
    assert listed.startswith(tmux.session_name(home, read_only=True))
    second = attach(home, environment)
    second.expect(b"kept")
    second.sendcontrol("b")
    second.send("d")
    second.expect(b"no campaign runs now")
    second.close(force=True)


@NEEDS_TMUX
def test_a_home_of_an_older_version_is_shown_as_a_copy(tmp_path: Path, environment: dict[str, str]) -> None:
    home = tmp_path / "older"
    (home / "artefacts").mkdir(parents=True)
    upgrade(home / DATABASE, target="0010")
    first = attach(home, environment)
    first.expect(b"no campaign yet")
    first.close(force=True)
    assert is_older(home)


def test_who_only_looks_has_a_session_of_his_own(tmp_path: Path) -> None:
    steering, looking = (tmux.words(tmp_path, look)[4] for look in ([], ["--ascii", "--read-only"]))
    assert steering != looking and looking.startswith(steering)


def test_without_tmux_or_inside_of_it_that_is_said(home: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "app", "attach", "--tmux", "--display", "full", "--home", str(home)]
    bare = {"PATH": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=ROOT, env=bare, capture_output=True, text=True, check=False)
    assert done.returncode == 3 and "--tmux needs tmux, which is not installed" in done.stderr
    words[words.index("full")] = "plain"
    done = subprocess.run(words, cwd=ROOT, env=bare, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "there is none with display plain" in done.stderr
