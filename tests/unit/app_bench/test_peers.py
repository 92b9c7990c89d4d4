"""The bench beside numpy: figures of its rounds, and the process that times the reference."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from app.bench.peers import Row, text

ROOT = Path(__file__).parents[3]
PACK = ROOT / "kernels" / "packs" / "axpy_gemv"


def test_medians_and_the_range_of_the_ratio_are_told() -> None:
    row = Row("gemv", "baseline", "", {"baseline": [9e6, 8e6, 9e6], "head": [1e6, 2e6, 4e6], "numpy": [2e6, 6e6, 4e6]})
    found = row.figures
    assert (found["baseline_ns"], found["head_ns"], found["numpy_ns"]) == (9e6, 2e6, 4e6)
    assert (found["numpy_over_head"], found["range"]) == (2.0, [1.0, 3.0])
    shown = text({"pack": "p", "rounds": 3, "rows": [found]})
    assert "2.00" in shown
    assert "1.00..3.00" in shown


def test_a_kernel_without_figures_says_why() -> None:
    row = Row("f", "baseline", "its reference is not numpy")
    assert "range" not in row.figures
    assert "its reference is not numpy" in text({"pack": "p", "rounds": 7, "rows": [row.figures]})


@pytest.mark.timeout(60)
def test_the_reference_is_timed_once_a_line() -> None:
    words = [sys.executable, "-m", "app.bench.numpy_calls", str(PACK), "gemv", "1"]
    done = subprocess.run(words, input="go\ngo\n", capture_output=True, text=True, check=True, cwd=ROOT)
    times = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(times) == 2
    assert all(ns > 0 for ns in times)
