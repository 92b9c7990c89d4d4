"""Thirty-six workers and all other roles with models, for ten minutes: no leak, nobody stuck, every reply accounted."""

import os
from pathlib import Path

import pytest

from tests.end_to_end import many_agents as many

MINUTES = float(os.environ.get("KW_TEST_MINUTES", "10"))
pytestmark = [pytest.mark.device, pytest.mark.long, pytest.mark.timeout(1800)]


def test_thirty_six_workers_for_ten_minutes(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with many.serving(tmp_path / "llmock.log", "--latency-ms", "200") as server:
        (home / "kernelwright.toml").write_text(many.settings_text(server, workers=36))
        seen = many.run(home, ["--pack", "axpy_gemv", "--minutes", str(MINUTES)], timeout=60 * MINUTES + 300)
        found, verdict = many.account(home, server), server.ask("verdict")
    (lag,) = many.events(home, "loop_lag")
    states = {agent.name: agent.state for agent in many.agents(home)}
    print(found.text, lag.text, verdict, f"memory grew {seen.grown(60 * MINUTES / 2):.2f}", sep="\n")
    assert seen.code == 0, seen.errors
    assert (verdict["passed"], verdict["errors"], verdict["warnings"]) == (True, 0, 0)
    assert found.fits, found.text
    assert found.by_role["worker"] > 36
    assert found.by_role["strategist"] > 0
    assert set(states.values()) == {"done"}, states
    assert sum(name.startswith("worker-") for name in states) == 36
    assert many.events(home, "stale", "role") == []
    assert seen.grown(60 * MINUTES / 2) < 1.25  # the SDKs are in by then
    assert max(seen.files[-10:]) <= max(seen.files[:30]) + 50
    assert lag.data["within"], lag.text
