"""`judge replay`: imported and stored series decided again; noise figures of readings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.app_judge.stored import pair, write_test

DATA = Path(__file__).parents[3] / "../shared/data/rngd_contest"
OTHER_TOOLCHAIN = ("--leave-out", "HA*", "--leave-out", "*V324*", "--leave-out", "contest-baseline*")

needs_data = pytest.mark.skipif(not DATA.exists(), reason="the contest's data is not here")
Command = Callable[..., Any]

FASTER_BY_2 = [pair(1.02 + i / 1e4, 1.0) for i in range(6)]


@needs_data
def test_noise_of_the_contests_readings(command: Command) -> None:
    said = command("judge", "replay", DATA / "readings.csv", *OTHER_TOOLCHAIN)
    assert said.code == 0
    for figure in ("qkv: pooled CV 2.98 %", "attn_out: pooled CV 3.88 %", "ffn: pooled CV 0.73 %"):
        assert figure in said.out
    assert "V165-cold12: n 12, mean 108085, CV 3.00 %, lag-1 -0.14" in said.out


@needs_data
def test_differences_of_the_contest_decided_again(command: Command) -> None:
    found = command("judge", "replay", DATA / "paired_diffs.csv", "--json").json
    best = next(one for one in found["decided"] if one["label"] == "V243 ffn")
    assert (best["state"], best["decided_after"], best["n"], best["negative"]) == ("FASTER", 6, 11, 11)
    assert (round(best["mean"]), round(best["sd"])) == (-724, 575)


@pytest.mark.parametrize("rule", ["paired", "paper", "margin", "mean"])
def test_pairs_of_a_file_under_every_rule(command: Command, tmp_path: Path, rule: str) -> None:
    file = tmp_path / "pairs.csv"
    rows = [f"{102 + i / 10},{100 - i / 10}" for i in range(12)]
    file.write_text("\n".join(["head_ns,candidate_ns", *rows]))
    found = command("judge", "replay", file, "--rule", rule, "--json").json
    (one,) = found["decided"]
    assert (one["state"], one["pairs"]) == ("FASTER", 12)


def test_a_stored_test_and_its_export_say_the_same(command: Command, home: Path, tmp_path: Path) -> None:
    number = write_test(home, "acceptance", [*FASTER_BY_2, pair(9.0, 1.0, redo="mode")], verdict="FASTER")
    file = tmp_path / "pairs.csv"
    stored = command("judge", "replay", "--test", str(number), "--export", file, "--json").json
    imported = command("judge", "replay", file, "--json").json
    assert stored["redone"] == 1
    assert stored["stored"]["verdict"] == "FASTER"
    assert stored["stored"]["seed"] == "7"
    for found in (stored, imported):
        assert [(d["state"], d["pairs"], round(d["z"], 3)) for d in found["decided"]] == [("FASTER", 6, 2.154)]


def test_another_rule_on_a_stored_test(command: Command, home: Path) -> None:
    number = write_test(home, "acceptance", FASTER_BY_2, verdict="FASTER")
    said = command("judge", "replay", "--test", str(number), "--rule", "paper")
    assert said.code == 0
    assert "under rule paper" in said.out
    assert "stored: FASTER by paired" in said.out


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("variant,kernel,cycles\na,b,many\n", "line 2"),
        ("head_ns,candidate_ns\n1,0\n", "line 2"),
        ("a,b\n1,2\n", "column"),
        ("", "no header"),
    ],
)
def test_a_file_that_is_no_series_is_named(command: Command, tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "wrong.csv"
    file.write_text(text)
    said = command("judge", "replay", file)
    assert said.code == 2
    assert why in said.err
    assert "wrong.csv" in said.err


def test_usage_errors_say_what_is_known(command: Command, home: Path, tmp_path: Path) -> None:
    assert command("judge", "replay").code == 2
    absent = command("judge", "replay", tmp_path / "none.csv")
    assert (absent.code, "none.csv" in absent.err) == (2, True)
    rule = command("judge", "replay", tmp_path / "none.csv", "--rule", "luck")
    assert rule.code == 2
    assert "paired, paper, margin, mean" in rule.err
    write_test(home, "acceptance", FASTER_BY_2, verdict="FASTER")
    assert command("judge", "replay", "--test", "77").code == 2
