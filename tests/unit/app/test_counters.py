"""`knowledge counters` reads a report of Nsight Compute that somebody made, and says how to make one."""

import json
from pathlib import Path

import pytest

from app.cli import run
from tests.unit.targets.test_cuda_census import RAW_REPORT, REPORT


@pytest.mark.parametrize("report", [RAW_REPORT, REPORT])
def test_a_report_is_told_by_launch(report: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "report.csv"
    file.write_text(report)
    assert run(["knowledge", "counters", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "0 mv, 2.00 ms, 2000.0 GB/s of device memory"
    assert "  multiprocessors busy: 42.5 %" in lines
    assert "1 store<2>, 1.50 us" in lines
    assert run(["knowledge", "counters", str(file), "--json"]) == 0
    launches = json.loads(capsys.readouterr().out)["launches"]
    assert [one["kernel"] for one in launches] == ["mv", "store<2>"]
    assert launches[0]["values"]["dram__bytes.sum"] == 4.001e9


def test_what_is_no_report_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "report.csv"
    file.write_text("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n")
    assert run(["knowledge", "counters", str(file)]) == 2
    assert "ERR_NVGPUCTRPERM" in capsys.readouterr().err


def test_without_a_report_the_command_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["knowledge", "counters"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("ncu --csv --page raw --metrics gpu__time_duration.sum,")
    assert said.endswith("YOUR-PROGRAM > report.csv\n")
