"""kill -9, stop, pause, kill: nothing acknowledged is lost, nothing stays behind, the person is in charge."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from store import campaigns, reads
from store.engine import Store
from store.errors import StoreError
from tests.end_to_end.conftest import ROOT, command, environment

pytestmark = [pytest.mark.device, pytest.mark.timeout(480)]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Callable[..., "subprocess.Popen[bytes]"]]:
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            command("run", "--headless", "--pack", "axpy_gemv", "--seed", "5", *words), cwd=ROOT,
            env=environment(tmp_path / "home"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.wait()


def wait_for(home: Path, what: Callable[[Any], bool], seconds: float = 180.0) -> Any:
    """Poll the store until its overview satisfies the condition."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        view = overview_of(home)
        if view is not None and what(view):
            return view
        time.sleep(0.2)
    raise AssertionError("the store never got there")


def overview_of(home: Path) -> Any:
    """None while there is no database or no campaign in it."""
    try:
        with Store.open(home, read_only=True) as store:
            row = store.read_sync(campaigns.latest)
            return None if row is None else store.read_sync(lambda s: reads.overview(s, row.id))
    except StoreError:
        return None


def of_home(home: Path) -> list[str]:
    """Command lines of all processes that belong to a home."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(home) in line and int(path.parent.name) != os.getpid():
            found.append(line)
    return found


def test_kill_9_then_resume_loses_nothing_and_leaves_nobody(
    engine: Callable[..., "subprocess.Popen[bytes]"], tmp_path: Path
) -> None:
    home = tmp_path / "home"
    first = engine("--kernel", "gemv", "--minutes", "5")
    before = wait_for(home, lambda v: v.campaign.promotions >= 1)
    first.send_signal(signal.SIGKILL)
    first.wait()
    deadline = time.monotonic() + 60
    while of_home(home) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert of_home(home) == []
    second = engine("--kernel", "gemv", "--candidates", str(before.campaign.candidates + 2), "--json")
    out, err = second.communicate(timeout=180)
    assert second.returncode == 0, err.decode()
    summary = json.loads(out)
    assert summary["campaign"] == before.campaign.id
    assert summary["promotions"] >= before.campaign.promotions
    with Store.open(home, read_only=True) as store:
        events = store.read_sync(lambda s: reads.events(s, before.campaign.id, 0, 100_000))
        promoted = [e for e in events if e.kind == "promotion"]
        assert len(promoted) == summary["promotions"]
        assert store.damage() == ()
    assert of_home(home) == []


def test_pause_resume_kill_and_stop_from_another_process(
    engine: Callable[..., "subprocess.Popen[bytes]"], cli: Callable[..., Any], tmp_path: Path
) -> None:
    home = tmp_path / "home"
    process = engine("--kernel", "gemv", "--minutes", "5", "--json")
    wait_for(home, lambda v: v.campaign.candidates >= 1)
    assert cli("pause", "--json") == {"state": "done", "result": "all paused"}
    paused = wait_for(home, lambda v: v.campaign.state == "paused")
    time.sleep(2.5)
    still = wait_for(home, lambda v: True)
    assert still.campaign.candidates == paused.campaign.candidates
    assert still.campaign.holder == ""
    assert cli("resume", "--json")["state"] == "done"
    assert cli("kill", "worker-02", "--json")["result"] == "worker-02 killed"
    states = {a["name"]: a["state"] for a in cli("agents", "--json")["agents"]}
    assert states["worker-02"] == "killed"
    refused = cli("kill", "nobody", raw=True)
    assert refused.returncode == 1
    assert "living" in refused.stderr
    assert cli("stop", "--now", "--json")["state"] == "done"
    out, _ = process.communicate(timeout=180)
    assert process.returncode == 0
    assert json.loads(out)["stopped_because"] == "stopped by the operator"
    assert of_home(home) == []


@pytest.mark.long
def test_ctrl_c_once_ends_cleanly_with_the_summary(
    engine: Callable[..., "subprocess.Popen[bytes]"], tmp_path: Path
) -> None:
    process = engine("--minutes", "5", "--kernel", "gemv", "--json")
    wait_for(tmp_path / "home", lambda v: v.campaign.candidates >= 1)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=180)
    assert process.returncode == 0
    assert json.loads(out)["stopped_because"] == "stopped at the keyboard"


def test_a_second_engine_says_who_owns_the_home(
    engine: Callable[..., "subprocess.Popen[bytes]"], tmp_path: Path
) -> None:
    first = engine("--minutes", "5")
    wait_for(tmp_path / "home", lambda v: True)
    second = engine("--minutes", "5")
    _, err = second.communicate(timeout=180)
    assert second.returncode == 3
    assert f"owned by pid {first.pid} on " in err.decode()
    assert "UTC" in err.decode()


@pytest.mark.long
def test_a_saved_source_becomes_a_candidate_and_a_changed_reference_pauses(
    engine: Callable[..., "subprocess.Popen[bytes]"], cli: Callable[..., Any], tmp_path: Path
) -> None:
    import shutil

    pack = tmp_path / "packs" / "mine"
    shutil.copytree(ROOT / "kernels" / "packs" / "axpy_gemv", pack)
    (pack / "pack.toml").write_text((pack / "pack.toml").read_text().replace('"axpy_gemv"', '"mine"'))
    home = tmp_path / "home"
    engine("--pack", str(pack), "--kernel", "gemv", "--minutes", "5")
    wait_for(home, lambda v: v.campaign.candidates >= 1)
    source = (pack / "gemv" / "baseline.c").read_text() + "\n/* by hand */\n"
    (pack / "gemv" / "by_hand.c").write_text(source)
    wait_for(home, lambda v: any("by_hand.c" in e.text for e in v.recent) or v.campaign.candidates >= 2)
    tree = cli("tree", "gemv", "--json")
    (pack / "gemv" / "reference.py").write_text((pack / "gemv" / "reference.py").read_text() + "\n# edited\n")
    paused = wait_for(home, lambda v: v.campaign.state == "paused")
    assert any("reference.py" in line for line in (*paused.attention, *(e.text for e in paused.recent)))
    assert tree["nodes"]
