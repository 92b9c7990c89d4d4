"""A campaign while its server of models breaks in every way that it knows, one after the other: the server's verdict on
its client is clean, nothing is lost, nothing is paid for twice."""

import os
from pathlib import Path

import pytest

from tests.end_to_end import many_agents as many

MINUTES = float(os.environ.get("KW_TEST_MINUTES", "10"))
pytestmark = [pytest.mark.device, pytest.mark.long, pytest.mark.timeout(1800)]


def test_every_fault_in_a_campaign(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with many.serving(tmp_path / "llmock.log", "--latency-ms", "100", "--stream-chunk-delay-ms", "200") as server:
        (home / "kernelwright.toml").write_text(many.settings_text(server, workers=12))
        breaking = many.Breaking(server)
        breaking.start()
        seen = many.run(home, ["--pack", "axpy_gemv", "--minutes", str(MINUTES)], timeout=60 * MINUTES + 300)
        found, verdict = many.account(home, server), server.ask("verdict")
    print(breaking.met, found.text, verdict, sep="\n")
    assert seen.code == 0, seen.errors
    assert set(breaking.met) == set(many.FAULTS)
    assert all(met > 0 for met in breaking.met.values()), breaking.met
    assert (verdict["passed"], verdict["errors"], verdict["warnings"]) == (True, 0, 0), verdict
    assert found.fits, found.text
    assert {agent.state for agent in many.agents(home)} == {"done"}
    assert many.events(home, "stale", "role") == []
