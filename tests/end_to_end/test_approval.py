"""A running campaign asks before it promotes: one word makes the head, the other binds the content for good."""

import json
import subprocess
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from store import campaigns, designs, promotions
from store.engine import Store
from tests.end_to_end.conftest import ROOT, command, environment

PATIENCE_S = 600.0
NO_RACES = {"KERNELWRIGHT_RACES": "false"}
pytestmark = [pytest.mark.device, pytest.mark.long, pytest.mark.timeout(3 * PATIENCE_S)]
Cli = Callable[..., Any]


@pytest.fixture
def engine(tmp_path: Path) -> Generator["subprocess.Popen[bytes]"]:
    words = ("run", "--headless", "--display", "none", "--pack", "axpy_gemv", "--kernel", "gemv", "--approve")
    process = subprocess.Popen(
        command(*words), cwd=ROOT, env={**environment(tmp_path / "home"), **NO_RACES}, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    yield process
    process.kill()
    process.wait()


def events(cli: Cli, *kinds: str) -> list[dict[str, Any]]:
    done = cli("events", "--json", raw=True)
    found = [json.loads(line) for line in done.stdout.splitlines()] if done.returncode == 0 else []
    return [one for one in found if one["kind"] in kinds]


def next_waiting(cli: Cli, engine: "subprocess.Popen[bytes]", known: set[int]) -> int:
    """The node that asks next."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and engine.poll() is None:
        asked = [one["data"]["node"] for one in events(cli, "approval") if one["data"]["state"] == "pending"]
        if new := [node for node in asked if node not in known]:
            return int(new[0])
        time.sleep(1.0)
    raise AssertionError(events(cli, "approval", "outcome", "campaign")[-5:])


def states(cli: Cli) -> dict[int, str]:
    return {int(one["node"]): one["state"] for one in cli("status", "--json")["approvals"]}


def test_a_veto_binds_and_an_approval_promotes(cli: Cli, engine: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    first = next_waiting(cli, engine, set())
    assert states(cli)[first] == "pending"
    assert cli("filings", "--json")["filings"] == []
    said = cli("veto", str(first), "--json")
    assert (said["state"], said["result"].split(":")[0]) == ("done", f"node {first} on gemv is vetoed")
    again = cli("approve", str(first), "--json", raw=True)
    assert again.returncode == 1
    assert f"decide on node {first}: it does not wait" in json.loads(again.stdout)["result"]
    _is_never_judged_again(cli, tmp_path, first)

    second = next_waiting(cli, engine, {first})
    promoted = json.loads(cli("approve", str(second), "--json", timeout=PATIENCE_S)["result"])
    assert (promoted["outcome"], promoted["node"]) == ("KEEP", second)
    (event,) = events(cli, "promotion")
    (filing,) = cli("filings", "--json")["filings"]
    assert (filing["node"], filing["kind"]) == (second, "promotion")
    assert event["subject"] == "gemv"
    assert cli("tree", "gemv", "--json")["head"] == _candidate(tmp_path, second)
    assert {first: "vetoed", second: "approved"}.items() <= states(cli).items()
    assert cli("stop", "--now", raw=True).returncode == 0
    assert engine.wait(timeout=120) == 0
    assert _promoted(tmp_path) == [second]


def _is_never_judged_again(cli: Cli, tmp_path: Path, node: int) -> None:
    with Store.open(tmp_path / "home", read_only=True) as store:
        key = _candidate(tmp_path, node)
        source = store.read_sync(lambda s: designs.get_candidate(s, key)).source
    file = tmp_path / "vetoed.c"
    file.write_text(source)
    done = cli("accept", "axpy_gemv/gemv", str(file), raw=True, timeout=PATIENCE_S)
    assert done.returncode == 1
    assert f"as node {node}" in done.stdout + done.stderr


def _candidate(tmp_path: Path, node: int) -> str:
    with Store.open(tmp_path / "home", read_only=True) as store:
        return str(store.read_sync(lambda s: designs.get_node(s, node)).candidate_id)


def _promoted(tmp_path: Path) -> list[int]:
    with Store.open(tmp_path / "home", read_only=True) as store:
        row = store.read_sync(campaigns.latest)
        assert row is not None
        head = store.read_sync(lambda s: promotions.head_promotion(s, row.id, "gemv"))
        return [] if head is None else [head.node_id]
