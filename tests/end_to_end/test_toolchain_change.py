"""The compiler is exchanged under a running campaign: it pauses, checks everything again, says the counts, goes on."""

import json
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kernels.targets.cpu_c.toolchain import SEARCH
from store import sql
from store.engine import Store
from tests.end_to_end.conftest import ROOT, command, environment

PATIENCE_S = 600.0
NO_RACES = {"KERNELWRIGHT_RACES": "false"}
ENDS = ("outcome", "promotion")
"""Of an attempt."""
FIRST = shutil.which("gcc", path=SEARCH)
SECOND = next((p for name in ("gcc-11", "gcc-10", "gcc-13", "gcc-14", "clang-14", "clang")
               if (p := shutil.which(name, path=SEARCH)) is not None), None)  # fmt: skip
pytestmark = [
    pytest.mark.device, pytest.mark.long, pytest.mark.timeout(2 * PATIENCE_S),
    pytest.mark.skipif(FIRST is None or SECOND is None, reason="no second compiler is installed (gcc-11, clang-14)"),
]  # fmt: skip


@pytest.fixture
def link(tmp_path: Path) -> Path:
    assert FIRST is not None
    path = tmp_path / "cc"
    path.symlink_to(FIRST)
    return path


def exchange(link: Path) -> None:
    assert SECOND is not None
    other = link.with_suffix(".new")
    other.symlink_to(SECOND)
    other.replace(link)


def events(cli: Callable[..., Any]) -> list[dict[str, Any]]:
    done = cli("events", "--json", raw=True)
    return [json.loads(line) for line in done.stdout.splitlines()] if done.returncode == 0 else []


def until(cli: Callable[..., Any], found: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
    end = time.monotonic() + PATIENCE_S
    while not found(seen := events(cli)):
        assert time.monotonic() < end, seen[-5:]
        time.sleep(1.0)
    return seen


@pytest.fixture
def known(cli: Callable[..., Any], link: Path) -> None:
    """Two facts and four rules under the first compiler."""
    facts = ("--only", "fma_latency", "--only", "empty_call", "--readings", "3")
    rules = ("store_through_const", "void_variable", "goto_unknown", "double_literal")
    assert cli("knowledge", "facts", "--measure", *facts, "--compiler", str(link), "--json")["facts"]
    assert cli("knowledge", "rules", "--verify", *rules, "--compiler", str(link), "--json")["outcomes"]


def start(tmp_path: Path, link: Path) -> "subprocess.Popen[bytes]":
    words = ("run", "--headless", "--pack", "axpy_gemv", "--kernel", "gemv", "--seed", "3", "--compiler", str(link))
    return subprocess.Popen(
        command(*words), cwd=ROOT, env={**environment(tmp_path / "home"), **NO_RACES}, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.usefixtures("known")
def test_a_campaign_goes_on_by_itself_with_another_compiler(
    cli: Callable[..., Any], tmp_path: Path, link: Path
) -> None:
    engine = start(tmp_path, link)
    try:
        before = until(cli, lambda seen: any(e["kind"] in ENDS for e in seen))
        first = cli("status", "--json")
        exchange(link)
        seen = until(cli, lambda seen: _went_on(seen[len(before) :]))
        agents = {a["role"]: a["state"] for a in cli("agents", "--json")["agents"]}
        assert cli("stop", "--now", raw=True).returncode == 0
        assert engine.wait(timeout=120) == 0
    finally:
        engine.kill()
    _said(seen[len(before) :])
    assert agents["maintainer"] in ("working", "waiting")
    _counted(cli("status", "--json"), first["fingerprint"])


def until_settled(home: Path, records: int) -> None:
    """So many records of the change were tried."""
    end, query = time.monotonic() + PATIENCE_S, "SELECT count(*) FROM recheck WHERE outcome <> ''"
    with Store.open(home, read_only=True) as store:
        while store.read_sync(lambda s: sql.scalar(s, query)) < records:
            assert time.monotonic() < end
            time.sleep(0.01)


@pytest.mark.usefixtures("known")
def test_a_kill_in_the_re_check_goes_on_where_it_was(cli: Callable[..., Any], tmp_path: Path, link: Path) -> None:
    engine = start(tmp_path, link)
    try:
        before = until(cli, lambda seen: any(e["kind"] == "promotion" for e in seen))
        first = cli("status", "--json")
        exchange(link)
        until_settled(tmp_path / "home", 1)
        engine.send_signal(signal.SIGKILL)
        engine.wait()
        (killed,) = cli("status", "--json")["toolchain_changes"]
        assert (killed["state"], killed["waiting"] != {}) == ("rechecking", True)
        engine = start(tmp_path, link)
        seen = until(cli, lambda seen: any(e["data"].get("state") == "done" for e in seen if e["kind"] == "toolchain"))
        assert cli("stop", "--now", raw=True).returncode == 0
        assert engine.wait(timeout=120) == 0
    finally:
        engine.kill()
    status = cli("status", "--json")
    _counted(status, first["fingerprint"])
    _said(seen[len(before) :])
    said = [e["subject"] for e in seen if e["kind"] == "recheck"]
    assert len(said) == len(set(said))
    planted = [e["subject"] for e in seen[len(before) :] if e["kind"] == "legality_rule"]
    assert sorted(planted) == sorted(set(planted))
    (change,) = status["toolchain_changes"]
    for kind, counts in killed["counts"].items():
        assert all(change["counts"][kind][outcome] >= n for outcome, n in counts.items()), (killed, change)
    rejudged = [f for f in cli("filings", "--json")["filings"] if f["kind"] == "rejudged"]
    assert len(rejudged) == change["counts"]["head"]["re_verified"]


def _went_on(seen: list[dict[str, Any]]) -> bool:
    """An attempt ended after the re-check."""
    done = [e["id"] for e in seen if e["kind"] == "toolchain" and e["data"].get("state") == "done"]
    return bool(done) and any(e["kind"] in ENDS and e["id"] > done[0] for e in seen)


def _said(seen: list[dict[str, Any]]) -> None:
    changes = [e for e in seen if e["kind"] == "toolchain"]
    assert [e["data"]["state"] for e in changes] == ["paused", "done"]
    assert changes[0]["data"]["marked"]["fact"] == 2
    assert changes[0]["data"]["marked"]["rule"] >= 4
    assert {e["subject"] for e in seen if e["kind"] == "recheck"} >= {"fact", "rule"}


def _counted(status: dict[str, Any], former: str) -> None:
    (change,) = status["toolchain_changes"]
    assert (change["state"], change["former"], change["present"]) == ("done", former, status["fingerprint"])
    assert former != status["fingerprint"]
    assert change["waiting"] == {}
    assert sum(change["counts"]["fact"].values()) == 2
    rules = change["counts"]["rule"]
    assert sum(rules.values()) == 4
    assert rules["re_verified"] + rules["rewritten"] >= 3  # the fourth is about a time, which a busy machine may hide
    assert "facts measured anew with 3 readings each" in change["notes"][0]
