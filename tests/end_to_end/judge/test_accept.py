"""`check`, `accept` and `judge calibrate` on this device, without any campaign."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from store import by_hand, calibrations, campaigns, reads
from store.engine import Store

pytestmark = pytest.mark.device
Command = Callable[..., Any]

SLOWER = """#include "kernelwright.h"
static float kept[2048];
void gemv(const float *W, const float *x, float *y) {
    for (int pass = 0; pass < 2; pass++) {
        for (int row = 0; row < 2048; row++) {
            float sum = 0.0f;
            for (int column = 0; column < 2048; column++) sum += W[row * 2048 + column] * x[column];
            if (pass == 0) kept[row] = sum;
            else y[row] = 0.5f * (sum + kept[row]);
        }
    }
}
"""
WRONG = SLOWER.replace("0.5f * (sum + kept[row])", "sum - 1.0f")
PAIR_LINE = re.compile(r"pair \d+/24  score [+-]\d\.\d\d  \[-1\.85 .* \+2\.15\]  est .*  (next look \d+|FASTER|SLOWER)")


def source(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.fixture
def same_source(tmp_path: Path) -> Path:
    """The baseline's text under a comment: with a flag of its own it is another kernel."""
    from kernels.packs.loader import baseline, find_kernel

    text = baseline(find_kernel("axpy_gemv/gemv")[1]).source
    return source(tmp_path, "same.c", f"/* sums may be taken in any order */\n{text}")


def test_an_honest_faster_kernel_is_confirmed(command: Command, same_source: Path) -> None:
    said = command("accept", "axpy_gemv/gemv", same_source, "--flag=-ffast-math", "--json")
    assert said.code == 0, said.err
    found = said.json
    assert (found["verdict"], found["confirmed"], found["against"]) == ("FASTER", True, "baseline")
    assert found["z"] >= 2.15
    assert found["estimate"] > 0.05
    assert found["interval"][0] < found["estimate"] < found["interval"][1]
    assert found["power"] is None
    assert PAIR_LINE.search(said.err)
    assert "power: not known, this device is not calibrated with axpy_gemv/gemv" in said.err
    assert said.err.index("power:") < said.err.index("pair 1/24") < said.err.index("confirmation test")


def test_the_same_machine_code_is_not_tested_again(command: Command, same_source: Path) -> None:
    same_source.write_text(same_source.read_text() + "/* another comment */\n")
    said = command("accept", "axpy_gemv/gemv", same_source, "--flag=-ffast-math", "--json")
    assert said.code == 0
    assert said.json["verdict"] == "FASTER"
    assert "already judged under this head" in said.json["reason"]
    assert "pair 1/24" not in said.err


def test_an_honest_slower_kernel_is_slower(command: Command, tmp_path: Path, home: Path) -> None:
    said = command("accept", "gemv", source(tmp_path, "slower.c", SLOWER))
    assert said.code == 1, said.err
    assert "SLOWER; z -2.15 after 6 pairs" in said.out
    with Store.open(home, read_only=True) as store:
        latest = store.read_sync(campaigns.latest)
    assert latest is not None
    assert latest.brain == by_hand.BY_HAND


def test_a_wrong_kernel_is_refused(command: Command, tmp_path: Path) -> None:
    file = source(tmp_path, "wrong.c", WRONG)
    checked = command("check", "gemv", file, "--json")
    assert checked.code == 1
    assert (checked.json["passed"], checked.json["refused_by"]) == (False, "correct")
    assert checked.json["gates"][-1]["kind"] == "wrong_values"
    judged = command("accept", "gemv", file, "--json")
    assert judged.code == 1
    assert (judged.json["verdict"], judged.json["confirmed"]) == (None, False)
    assert "gate correct: wrong_values" in judged.json["reason"]


def test_a_right_kernel_passes_its_gates(command: Command, tmp_path: Path) -> None:
    said = command("check", "axpy_gemv/gemv", source(tmp_path, "slower.c", SLOWER))
    assert said.code == 0, said.err
    assert re.search(r"gate correct +passed", said.out)
    assert said.out.rstrip().endswith("passed")


@pytest.mark.long
def test_the_device_is_calibrated(command: Command, tmp_path: Path, home: Path) -> None:
    said = command("judge", "calibrate", "gemv", "--pack", "axpy_gemv", "--json")
    assert said.code == 0, said.err
    (found,) = said.json["calibrations"]
    assert (found["pack"], found["kernel"], found["pairs"]) == ("axpy_gemv", "gemv", 24)
    for name in ("cv", "pair_sd", "visible_gain", "promotable_gain", "pair_seconds"):
        assert found[name] > 0
    assert found["visible_gain"] == pytest.approx(0.69 * found["pair_sd"])
    assert {"lag1", "within_pair", "order_effect", "trend", "modes", "carry_over", "suggested"} <= found.keys()
    assert "this device cannot see less than" in said.err
    with Store.open(home, read_only=True) as store:
        kept = store.read_sync(lambda s: calibrations.latest(s, found["fingerprint"], "axpy_gemv", "gemv"))
        test = store.read_sync(lambda s: reads.test(s, found["test"]))
    assert kept == found
    assert test is not None
    assert (test.kind, test.state, test.pairs_done) == ("calibration", "done", 24)
    judged = command("accept", "gemv", source(tmp_path, "wrong.c", WRONG), "--pack", "axpy_gemv", "--json")
    assert judged.json["power"]["visible_gain"] == found["visible_gain"]
    assert "power: this device cannot see less than" in judged.err
