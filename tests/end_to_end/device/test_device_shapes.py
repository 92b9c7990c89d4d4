"""A kernel of two weighted shapes on the device: every shape is checked, and a pair is read at each of them."""

import math
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest

from kernels.device.client import Device
from kernels.packs.loader import load_pack
from kernels.targets.base import Target
from kernels.values.kernel import Pack
from tests.end_to_end.device.tiny import compile_unscanned

KERNEL = """
name = "mv"
title = "y = W x"
ring_mib = 1
operations = [2, "M", "K"]
regimes = ["random", "one_hot"]
argument = [
  {name = "W", dtype = "f32", shape = ["M", "K"], role = "weight"},
  {name = "x", dtype = "f32", shape = ["K"], role = "input"},
  {name = "y", dtype = "f32", shape = ["M"], role = "output"},
  {name = "M", dtype = "i32", shape = [], role = "dimension"},
  {name = "K", dtype = "i32", shape = [], role = "dimension"},
]
shapes = [{name = "wide", weight = 3, M = 48, K = 1024}, {name = "tall", M = 640, K = 64}]
matrix = [{name = "B", codes = "W"}]
[tolerance.y]
atol = 1e-4
rtol = 1e-4
"""
REFERENCE = 'def reference(a):\n    return {"y": a["B"].apply(a["x"])}\n'
SOURCE = """#include "kernelwright.h"
void mv(const float *W, const float *x, float *y, int32_t M, int32_t K) {
    for (int again = 0; again < (TIMES); again++) {
        for (int i = 0; i < M; i++) {
            double sum = 0;
            for (int j = 0; j < K; j++) sum += (double)W[i * K + j] * x[j];
            y[i] = (float)(sum + (WRONG));
        }
        __asm__ volatile("" ::: "memory");
    }
}
"""
TALL, WIDE = "M == 640", "M == 48"
Make = Callable[[str, str], Path]


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    folder = tmp_path_factory.mktemp("packs") / "two"
    (folder / "mv").mkdir(parents=True)
    (folder / "pack.toml").write_text('name = "two"\ntitle = "two"\nkernels = ["mv"]\n')
    for name, text in (("kernel.toml", KERNEL), ("reference.py", REFERENCE), ("baseline.c", source("1", "0"))):
        (folder / "mv" / name).write_text(text)
    return load_pack(folder)


def source(times: str, wrong: str) -> str:
    return SOURCE.replace("TIMES", times).replace("WRONG", wrong)


@pytest.fixture(scope="module")
def make(pack: Pack, tmp_path_factory: pytest.TempPathFactory) -> Make:
    """(how often it works it out, what it adds) to a shared object."""
    return lambda times, wrong: compile_unscanned(
        source(times, wrong), pack.kernel("mv"), tmp_path_factory.mktemp("object")
    )


@pytest.fixture
async def device(pack: Pack, target: Target, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Device]:
    one = await Device.start(target, pack, tmp_path_factory.getbasetemp() / "device-of-two")
    yield one
    await one.close()


async def test_every_shape_is_checked_and_a_refusal_names_the_one(device: Device, make: Make) -> None:
    await device.load("mv", "right", make("1", "0"))
    right = await device.check("mv", "right")
    assert (right.ok, right.reason) == (True, "")
    shapes = right.facts["shapes"]
    assert {name: one["ok"] for name, one in shapes.items()} == {"wide": True, "tall": True}
    assert right.facts["calls"] == sum(one["calls"] for one in shapes.values())
    mean = shapes["wide"]["median_ns"] ** 0.75 * shapes["tall"]["median_ns"] ** 0.25
    assert right.facts["median_ns"] == pytest.approx(mean)
    await device.load("mv", "wrong", make("1", TALL))
    wrong = await device.check("mv", "wrong")
    assert (wrong.ok, wrong.kind) == (False, "wrong_values")
    assert wrong.reason.startswith("shape tall (M=640, K=64): y, ")
    assert {name: one["ok"] for name, one in wrong.facts["shapes"].items()} == {"wide": True, "tall": False}


async def test_a_pair_is_the_weighted_mean_of_its_shapes_and_shows_the_one_that_got_slower(
    device: Device, make: Make
) -> None:
    await device.load("mv", "head", make(f"{WIDE} ? 12 : 1", "0"))
    await device.load("mv", "candidate", make(f"{TALL} ? 4 : 1", "0"))
    test = await device.begin_test("mv", "head", "candidate")
    pairs = [await device.pair(test, first, 40e6) for first in ("head", "candidate")]
    report = await device.end_test(test)
    assert (report.ok, report.reason) == (True, "")
    assert report.facts["pairs"] == 4  # two at each shape
    for pair in pairs:
        ratios = pair.shape_ratios
        assert ratios["wide"] > 0 > ratios["tall"]
        assert pair.log_ratio == pytest.approx(0.75 * ratios["wide"] + 0.25 * ratios["tall"])
        assert pair.head.ns == pytest.approx(math.exp(
            0.75 * math.log(pair.head.shapes["wide"]) + 0.25 * math.log(pair.head.shapes["tall"])
        ))  # fmt: skip
    assert [pair.first for pair in pairs] == ["head", "candidate"]
    assert min(pair.log_ratio for pair in pairs) > 0


async def test_a_timed_call_that_is_wrong_at_one_shape_is_found_and_named(device: Device, make: Make) -> None:
    await device.load("mv", "head", make("1", "0"))
    await device.load("mv", "candidate", make("1", TALL))
    test = await device.begin_test("mv", "head", "candidate")
    await device.pair(test, "head", 40e6)
    report = await device.end_test(test)
    assert (report.ok, report.kind, report.facts["side"]) == (False, "wrong_values", "candidate")
    assert report.reason.startswith("shape tall (M=640, K=64): a timed call: y")


async def test_a_race_reads_every_shape_and_drops_what_fails_at_one(device: Device, make: Make) -> None:
    await device.load("mv", "head", make("1", "0"))
    await device.load("mv", "slow", make(f"{TALL} ? 12 : 3", "0"))
    await device.load("mv", "crash", make("1", f"{TALL} ? *(volatile float *)8 : 0"))
    race = await device.begin_race("mv", "head", ["slow", "crash"])
    block = await device.block(race, ["slow", "head", "crash"], 40e6)
    assert set(block.readings["slow"].shapes) == {"wide", "tall"}
    assert block.readings["slow"].ns > block.readings["head"].ns
    assert math.isnan(block.readings["crash"].ns)
    kind, reason = block.dropped["crash"]
    assert (kind, reason.startswith("shape tall (M=640, K=64): ")) == ("crash", True)
    again = await device.block(race, ["slow", "head", "crash"], 40e6)
    assert set(again.readings) == {"slow", "head"}
    assert set((await device.end_race(race)).caught) == {"crash"}


async def test_a_peak_is_that_of_all_shapes(device: Device) -> None:
    found = await device.peak("mv")
    assert found.ns > 0
    assert found.style in {*found.styles, "none"}


SAMPLED = """
name = "mm"
title = "Y = X W^T"
ring_mib = 1
regimes = ["random", "one_hot"]
argument = [
  {name = "X", dtype = "f32", shape = [16, 64], role = "input"},
  {name = "W", dtype = "f32", shape = [768, 64], role = "weight"},
  {name = "Y", dtype = "f32", shape = [16, 768], role = "output"},
]
matrix = [{name = "B", codes = "W"}]
[tolerance.Y]
atol = 1e-4
rtol = 1e-4
sampled = 512
sums = 2
"""
SAMPLE = """
import numpy as np
def sample(a, name, index):
    x = np.stack([one[rows] for one, rows in zip(a["X"], index[..., 0])])
    return np.einsum("bnk,bnk->bn", x, a["B"].rows(index[..., 1]))
def sums(a, name, signs):
    return a["B"].apply(signs @ a["X"])
"""
MM = """#include "kernelwright.h"
void mm(const float *X, const float *W, float *Y) {
    for (int m = 0; m < 16; m++)
        for (int n = 0; n < LAST; n++) {
            double sum = 0;
            for (int k = 0; k < 64; k++) sum += (double)X[m * 64 + k] * W[n * 64 + k];
            Y[m * 768 + n] = (float)(sum + (WRONG));
        }
}
"""


async def test_a_sample_of_an_output_is_checked_and_what_was_not_written_seen(target: Target, tmp_path: Path) -> None:
    folder = tmp_path / "packs" / "samples"
    (folder / "mm").mkdir(parents=True)
    (folder / "pack.toml").write_text('name = "samples"\ntitle = "samples"\nkernels = ["mm"]\n')
    right = MM.replace("LAST", "768").replace("WRONG", "0")
    for name, text in (("kernel.toml", SAMPLED), ("reference.py", SAMPLE), ("baseline.c", right)):
        (folder / "mm" / name).write_text(text)
    pack = load_pack(folder)
    device = await Device.start(target, pack, tmp_path / "device")
    sources = {
        "right": right, "wrong": right.replace("(sum + (0))", "(sum + 0.1 * (n < 4))"),
        "short": MM.replace("LAST", "766").replace("WRONG", "0"),
    }  # fmt: skip
    found = {}
    try:
        for key, text in sources.items():
            await device.load("mm", key, compile_unscanned(text, pack.kernel("mm"), tmp_path / key))
            found[key] = await device.check("mm", key)
    finally:
        await device.close()
    assert (found["right"].ok, found["right"].reason) == (True, "")
    assert found["right"].facts["sampled"] == {"Y": 512}
    assert (found["wrong"].ok, found["wrong"].kind) == (False, "wrong_values")
    assert (found["short"].ok, found["short"].kind) == (False, "not_written")
