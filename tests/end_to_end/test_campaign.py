"""One command makes kernels faster: a whole campaign, its rows, what one reads of it, and what one takes home."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.device, pytest.mark.timeout(240)]

SUMMARY = {
    "campaign", "pack", "target", "fingerprint", "claimed_gain", "ledger_speedup", "ledger_interval", "mode",
    "tests_run",
    "promotions", "rejections", "expected_false_promotions", "device_busy_fraction", "kernels", "sandbox_level",
    "stopped_because",
}  # fmt: skip
KERNEL = {
    "baseline_ns", "head_ns", "peak_ns", "ledger_speedup", "times_peak", "head_id", "candidates", "tests", "promotions",
    "score",
}  # fmt: skip


def test_a_campaign_makes_gemv_faster_and_everything_can_be_read(cli: Callable[..., Any], tmp_path: Path) -> None:
    summary = cli(
        "run", "--headless", "--pack", "axpy_gemv", "--kernel", "gemv", "--candidates", "6", "--seed", "3", "--json"
    )
    assert set(summary) >= SUMMARY
    gemv = summary["kernels"]["gemv"]
    assert set(gemv) == KERNEL
    assert gemv["promotions"] >= 1
    assert gemv["ledger_speedup"] > 1.5
    low, high = summary["ledger_interval"]
    assert low <= summary["ledger_speedup"] <= high
    assert "candidates" in summary["stopped_because"]
    _reads_agree(cli, summary)
    _taken_home(cli, tmp_path, gemv["head_id"])


def _reads_agree(cli: Callable[..., Any], summary: dict[str, Any]) -> None:
    assert cli("status", "--json")["ledger_speedup"] == summary["ledger_speedup"]
    filings = cli("filings", "--json")["filings"]
    assert len(filings) == summary["promotions"]
    tree = cli("tree", "gemv", "--json")
    assert tree["head"] == summary["kernels"]["gemv"]["head_id"]
    head_nodes = {n["id"] for n in tree["nodes"] if n["candidate"] == tree["head"]}
    of_head = [f for f in filings if f["node"] in head_nodes]
    judged = [n for n in tree["nodes"] if n["kind"] != "idea"]
    assert len(judged) == 6
    assert all(n["outcome"] and n["gates"] for n in judged)
    assert all(n["lever"] for n in judged)
    agents = {a["role"] for a in cli("agents", "--json")["agents"]}
    assert agents >= {"strategist", "architect", "owner", "worker", "watchdog"}
    events = [json.loads(line) for line in cli("events", "--json", raw=True).stdout.splitlines()]
    entries = [e["data"]["speedup"] for e in events if e["kind"] == "ledger" and e["data"].get("against") == "baseline"]
    assert of_head[-1]["ledger_speedup"] in entries
    assert summary["kernels"]["gemv"]["ledger_speedup"] in entries
    kinds = {e["kind"] for e in events}
    assert kinds >= {"campaign", "node", "outcome", "promotion", "ledger", "audit", "peak"}


def _taken_home(cli: Callable[..., Any], tmp_path: Path, head_id: str) -> None:
    out = tmp_path / "export"
    assert cli("export", "axpy_gemv/gemv", "--out", str(out), "--json")["head_id"] == head_id
    evidence = json.loads((out / "evidence.json").read_text())
    assert evidence["filings"]
    done = subprocess.run([out / "reproduce.sh"], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "outputs differ by" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["run", "--headless", "--pack", "nowhere"], 2, "Known packs: axpy_gemv"),
        (["run", "--headless", "--pack", "axpy_gemv", "--kernel", "gemm"], 2, "it has axpy, gemv"),
        (["run", "--headless", "--minutes", "-1"], 2, "minutes"),
        (["status"], 2, "no campaign yet"),
        (["pause"], 2, "no campaign yet"),
        (["frobnicate"], 2, "--help"),
    ],
)
def test_a_mistake_is_named_without_a_traceback(
    cli: Callable[..., Any], words: list[str], code: int, said: str
) -> None:
    done = cli(*words, raw=True)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr
