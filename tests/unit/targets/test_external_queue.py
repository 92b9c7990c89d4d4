"""Jobs through a remote queue: states, quota, login, unknown states, cancel; by a queue of shell-less commands."""

from pathlib import Path
from typing import Any

import pytest

from kernels.device.report import DeviceUnhealthy
from kernels.sandbox.runner import RunnerFailed
from kernels.values.candidate import Candidate
from tests.unit.targets.external_kit import call, newest_job, source, toy
from tests.unit.targets.kit import spec_of

FAKE = """
import json, pathlib, subprocess, sys
state = pathlib.Path({state!r})
verb, *rest = sys.argv[1:]
plan = json.loads((state / "plan.json").read_text())
def count(name):
    path = state / name
    path.write_text(path.read_text() + "x" if path.exists() else "x")
    return len(path.read_text())
if verb == "submit":
    if count("submits") <= plan["refused"]:
        sys.exit(plan["refusal"])
    (state / "job").write_text(" ".join(rest))
    print("submitted job 42")
elif verb == "status":
    n = count("polls")
    if n <= plan["deaf"]:
        sys.exit("error: connection reset")
    print(json.dumps({{"id": 42, "status": plan["states"][min(n, len(plan["states"])) - 1]}}))
elif verb == "logs":
    if count("looks") <= plan["lost"]:
        sys.exit(plan["loss"])
    if plan["log"]:
        sys.exit(print(plan["log"]))
    subprocess.run([sys.executable, "-I", "-S", {driver!r}, *(state / "job").read_text().split()], check=True)
elif verb == "cancel":
    count("cancels")
"""
PLAN = {"refused": 0, "refusal": "", "states": ["succeeded"], "deaf": 0, "lost": 0, "loss": "", "log": ""}
SIGNS = (
    {"regex": "active jobs", "means": "busy"},
    {"regex": "not logged in", "means": "login", "say": "Run the login yourself"},
)


def through(tmp_path: Path, one: Candidate | None = None, **plan: Any) -> float:
    from json import dumps

    from kernels.targets.external.tools import DRIVER

    tmp_path.mkdir(exist_ok=True)
    (tmp_path / "plan.json").write_text(dumps({**PLAN, **plan}))
    script = tmp_path / "queue.py"
    script.write_text(FAKE.format(state=str(tmp_path), driver=str(DRIVER)))
    fake = ["{python}", str(script)]
    queue = {
        "submit": {"command": [*fake, "submit", "{job}", "{artefact}"]},
        "status": {"command": [*fake, "status", "{id}"]},
        "logs": {"command": [*fake, "logs", "{id}"]}, "cancel": {"command": [*fake, "cancel", "{id}"]},
        "id": {"regex": r"submitted job (?P<id>\d+)"}, "state": {"json_path": "$.status"},
        "running": ["queued", "running"], "done": ["succeeded"], "failed": ["failed"], "poll_s": 0.01, "wait_s": 0.01,
    }  # fmt: skip
    target = toy(tmp_path, signs=SIGNS)
    raw = target.recipe.model_dump() | {"run": None, "queue": queue}
    target.recipe = type(target.recipe).model_validate(raw)
    return call(target, target.compile(one or source(), spec_of(), tmp_path / "work").path, tmp_path / "memory")


def marks(tmp_path: Path, name: str) -> int:
    return len((tmp_path / name).read_text()) if (tmp_path / name).exists() else 0


def test_a_job_is_submitted_awaited_and_read(tmp_path: Path) -> None:
    assert through(tmp_path, states=["queued", "running", "succeeded"]) > 0
    assert marks(tmp_path, "polls") == 3
    assert (newest_job(tmp_path) / "log" / "submit-1.out").read_text() == "submitted job 42\n"


def test_a_full_queue_is_asked_again(tmp_path: Path) -> None:
    assert through(tmp_path, refused=2, refusal="error: 2 active jobs for this account") > 0
    assert marks(tmp_path, "submits") == 3


def test_a_missing_login_is_said_at_once_and_is_nobodys_failure(tmp_path: Path) -> None:
    with pytest.raises(DeviceUnhealthy, match=r"not logged in.*Run the login yourself"):
        through(tmp_path, refused=9, refusal="error: not logged in")
    assert marks(tmp_path, "submits") == 1


def test_a_job_that_failed_is_the_candidates(tmp_path: Path) -> None:
    with pytest.raises(RunnerFailed, match="job 42 failed"):
        through(tmp_path, states=["failed"])


def test_a_candidate_that_blames_the_login_is_not_excused(tmp_path: Path) -> None:
    with pytest.raises(RunnerFailed, match="job 42 failed: error: not logged in"):
        through(tmp_path, states=["failed"], log="error: not logged in")
    with pytest.raises(RunnerFailed, match="protocol"):
        through(tmp_path / "done", log="error: not logged in")


@pytest.mark.parametrize("loss", ["error: not logged in", "error: connection reset", ""])
def test_a_log_that_cannot_be_had_is_nobodys_failure(tmp_path: Path, loss: str) -> None:
    """The job's state says how it went, not the exit of the command that fetches its log."""
    with pytest.raises(DeviceUnhealthy, match="logs of job 42, which is succeeded: "):
        through(tmp_path, lost=99, loss=loss or 3)


def test_a_log_or_a_state_is_asked_for_again(tmp_path: Path) -> None:
    assert through(tmp_path, lost=2, loss="error: connection reset", deaf=2) > 0
    assert (marks(tmp_path, "polls"), marks(tmp_path, "looks")) == (3, 3)


def test_a_queue_that_never_tells_the_state_is_nobodys_failure(tmp_path: Path) -> None:
    with pytest.raises(DeviceUnhealthy, match="status of job 42: exit code 1: error: connection reset"):
        through(tmp_path, deaf=99)
    assert marks(tmp_path, "cancels") == 1


def test_an_unknown_state_is_said_and_the_job_cancelled(tmp_path: Path) -> None:
    with pytest.raises(DeviceUnhealthy, match="'melting', a state that the target's file does not know"):
        through(tmp_path, states=["melting"])
    assert marks(tmp_path, "cancels") == 1
