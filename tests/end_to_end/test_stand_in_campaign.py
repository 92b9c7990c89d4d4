"""A whole campaign on a device that commands play: gates, tests, promotion, ledger, filings, the board."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from kernels.packs.new import new_pack
from kernels.targets.rngd.stand_in.setup import set_up
from tests.end_to_end.conftest import command, environment

pytestmark = [pytest.mark.long, pytest.mark.device, pytest.mark.timeout(2400)]
PACK = "stand_in_matvec"


def test_a_stand_in_is_a_device_like_any_other(tmp_path: Path) -> None:
    set_up(tmp_path, seed=7, quota=0.05, hang=0.0)
    new_pack(PACK, tmp_path / "packs")

    def cli(*words: str) -> Any:
        done = subprocess.run(
            command(*words), cwd=tmp_path, env=environment(tmp_path / "home"), capture_output=True, text=True,
            timeout=2200, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    started = ("--pack", PACK, "--target", "rngd", "--candidates", "1", "--seed", "3")
    summary = cli("run", "--headless", *started, "--json")
    kernel = summary["kernels"]["scaled_gemv"]
    assert kernel["promotions"] == 1
    assert kernel["ledger_speedup"] > 1.5
    assert summary["sandbox_level"] == "command, grader-reported, stand-in"
    (filed,) = cli("filings", "--json")["filings"]
    assert filed["device"] == "RNGD (stand-in), grader-reported"
    gates = {gate["gate"]: gate for node in cli("tree", "scaled_gemv", "--json")["nodes"] for gate in node["gates"]}
    assert gates["correct"]["facts"]["calls"] > 10
    assert gates["estimate"]["facts"]["makespan"] > 1003
    answer = cli("submit", "scaled_gemv", "--json")
    assert answer["score"].endswith("(stand-in)")
    assert [one["kind"] for one in cli("filings", "--json")["filings"]] == ["promotion", "submission"]
