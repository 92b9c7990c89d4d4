"""A model's sources on the real device: an honest one becomes the head, a cheating one is refused and told why."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.scripts import script

pytestmark = [pytest.mark.device, pytest.mark.long, pytest.mark.timeout(900)]


def test_a_scripted_worker_s_source_becomes_the_head_and_a_cheat_does_not(
    cli: Callable[..., Any], tmp_path: Path
) -> None:
    played = tmp_path / "script.json"
    played.write_text(script())
    words = ("run", "--headless", "--pack", "axpy_gemv", "--kernel", "gemv", "--candidates", "2", "--workers", "1")
    summary = cli(*words, "--seed", "3", "--brain", f"scripted:{played}", "--json", timeout=800.0)
    gemv = summary["kernels"]["gemv"]
    assert gemv["promotions"] == 1
    assert gemv["ledger_speedup"] > 1.5
    nodes = [n for n in cli("tree", "gemv", "--json")["nodes"] if n["lever"] == "written" and n["kind"] != "idea"]
    cheat, honest = sorted(nodes, key=lambda n: n["id"])
    assert (cheat["outcome"], honest["outcome"]) == ("REVERT", "KEEP")
    assert honest["candidate"] == gemv["head_id"]
    assert "correct" in [g["gate"] for g in cheat["gates"] if g["state"] == "refused"]
    calls = _booked(cli)
    assert "refused by gate correct: wrong_values" in _said_before(tmp_path / "home", calls[3]["request"])


def _said_before(home: Path, request: str) -> str:
    """All that stands in a request's transcript."""

    def read(digest: str) -> str:
        return (home / "artefacts" / digest[:2] / digest).read_text()

    return "\n".join(read(item) for item in json.loads(read(request))["items"])


def _booked(cli: Callable[..., Any]) -> list[dict[str, Any]]:
    """Every request has a closed row, and the screen's rows say who served."""
    calls: list[dict[str, Any]] = cli("calls", "--json")["calls"]
    assert {c["state"] for c in calls} == {"done"}
    assert len(calls) == 10
    assert all(c["usd"] == 0 and c["price"] == "free" for c in calls)
    events = [json.loads(line) for line in cli("events", "--json", raw=True).stdout.splitlines()]
    (brains,) = [e for e in events if e["kind"] == "brains"]
    assert "all other roles: offline" in brains["text"]
    (worker,) = [a for a in cli("agents", "--json")["agents"] if a["role"] == "worker"]
    assert worker["usd"] == 0
    return calls
