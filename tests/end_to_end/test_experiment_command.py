"""An experiment against the real engine, with tiny budgets: killed in the middle, gone on with, compared, replayed."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from store import experiments
from store.engine import Store
from store.errors import StoreError
from store.reads import experiment_view
from tests.end_to_end.conftest import ROOT, command, environment

pytestmark = [pytest.mark.device, pytest.mark.long, pytest.mark.timeout(1200)]

FILE = """
name = "tiny"
pack = "axpy_gemv"
kernels = ["gemv"]
trajectories = 2
pairs = 6
[budget]
positions = 2
[settings]
placebo_every = 0
[[arm]]
name = "policy"
[[arm]]
name = "random"
brain = "offline:random"
[[arm]]
name = "two agents"
agents = 2
kernel_workers = 1
"""


def started(home: Path, *words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command("experiment", *words), cwd=ROOT, env=environment(home), stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip


def in_the_second(home: Path) -> bool:
    """Whether the second trajectory has judged something."""
    try:
        with Store.open(home, read_only=True) as store:
            (row,) = store.read_sync(experiments.listing)
            views = store.read_sync(lambda s: experiment_view.trajectories(s, row.id))
    except (StoreError, ValueError):
        return False
    return any(view.state == "finished" for view in views) and sum(view.positions > 0 for view in views) >= 2


def test_it_goes_on_after_a_kill_and_compares(cli: Callable[..., Any], tmp_path: Path) -> None:
    home, file = tmp_path / "home", tmp_path / "tiny.toml"
    file.write_text(FILE)
    process = started(home, str(file))
    deadline = time.monotonic() + 600
    while not in_the_second(home):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.2)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    found = cli("experiment", str(file), "--json", timeout=900)
    assert found["state"] == "done"
    assert [(arm["name"], arm["n"]) for arm in found["arms"]] == [("policy", 2), ("random", 2), ("two agents", 0)]
    assert "one kernel" in found["arms"][2]["cannot_change"]
    assert any(abs(found["permutation_p"] - p) < 1e-9 for p in (1 / 3, 2 / 3, 1.0))
    runs = [run for arm in found["arms"][:2] for run in arm["trajectories"]]
    assert sorted(run["campaign"] for run in runs) == [1, 2, 3, 4]
    assert [run["seed"] for run in runs] == [1, 2, 1, 2]
    assert all(run["positions"] == 2 and run["speedup"] > 0 for run in runs)
    _around(cli, found, file)


def _around(cli: Callable[..., Any], found: dict[str, Any], file: Path) -> None:
    again = cli("experiment", str(file), "--json")
    assert {**again, "plan": None} == {**found, "plan": None}
    assert again["plan"]["campaigns"] == 0  # two positions say nothing of a rate
    assert cli("status", "--campaign", "3", "--json")["candidates"] == 2
    groups = cli("leaderboard", "--json")["groups"]  # one for each mode that the device was in
    rows = [row for group in groups for row in group["rows"]]
    assert len({group["mode"] for group in groups}) == len(groups)
    assert sorted(row["campaign"] for row in rows) == [1, 2, 3, 4]
    assert {row["trajectory"] for row in rows} == {"tiny: policy", "tiny: random"}
    rules = {rule["rule"] for rule in cli("experiment", "--replay", "--json")["rules"]}
    assert rules == {"as recorded", "paired", "paper", "3 % bar", "static estimate"}
