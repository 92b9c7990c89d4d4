"""The audit form of a check on real runners: whole domains in parts, regimes that no gate draws, and a control."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from kernels.device.auditing import Audit
from kernels.device.client import Device
from kernels.packs.domains import Sweep, domains_of
from kernels.packs.loader import load_pack
from kernels.targets.base import Target
from kernels.values.kernel import Pack
from tests.end_to_end.device.tiny import compile_unscanned

TOML = """
name = "at"
ring_mib = 2
argument = [
  {name = "W", dtype = "f32", shape = [128, 256], role = "weight", generate = ["uniform", -1.0, 1.0]},
  {name = "pos", dtype = "i32", shape = [], role = "input", generate = ["int", 0, 1000000]},
  {name = "x", dtype = "f32", shape = [256], role = "input", generate = ["uniform", -1.0, 1.0]},
  {name = "y", dtype = "f32", shape = [128], role = "output"},
]
matrix = [{name = "M", codes = "W"}]
[tolerance.y]
atol = 1e-3
rtol = 1e-4
"""
REFERENCE = """
def reference(a):
    return {"y": a["M"].apply(a["x"]) * (1 + a["pos"][:, None] % 7)}
"""
KERNEL = """
#include "kernelwright.h"
void at(const float *W, int32_t pos, const float *x, float *y) {
    int allzero = 1;
    for (int j = 0; j < 256; j++) if (x[j] != 0) allzero = 0;
    for (int i = 0; i < 128; i++) {
        double s = 0;
        for (int j = 0; j < 256; j++) s += (double)W[i * 256 + j] * x[j];
        y[i] = (float)(s * (1 + pos % 7)) ADD;
    }
}
"""
SEED = 5


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    folder = tmp_path_factory.mktemp("packs") / "swept"
    (folder / "at").mkdir(parents=True)
    (folder / "pack.toml").write_text('name = "swept"\ntitle = "swept"\nkernels = ["at"]\n')
    for name, text in (("kernel.toml", TOML), ("reference.py", REFERENCE), ("baseline.c", kernel(""))):
        (folder / "at" / name).write_text(text)
    return load_pack(folder)


@pytest.fixture
async def device(pack: Pack, target: Target, tmp_path: Path) -> AsyncGenerator[Device]:
    one = await Device.start(target, pack, tmp_path)
    yield one
    await one.close()


def kernel(add: str) -> str:
    return KERNEL.replace("ADD", add)


async def load(device: Device, pack: Pack, key: str, add: str, folder: Path) -> None:
    await device.load("at", key, compile_unscanned(kernel(add), pack.kernel("at"), folder / key))


async def test_a_fold_at_one_value_is_found_when_the_sweep_gets_there(
    device: Device, pack: Pack, tmp_path: Path
) -> None:
    sweep = Sweep(domains_of(pack.kernel("at")), SEED)
    value = int(sweep.call(200)[1])
    await load(device, pack, "fold", f"+ (pos == {value} ? 1.0f : 0.0f)", tmp_path)
    assert (await device.check("at", "fold", promotion=True)).ok
    before = await device.check("at", "fold", audit=Audit(SEED, seconds=0.001))
    assert before.ok
    covered = before.facts["audit"]["sweep"]
    assert (covered["from"], covered["to"], covered["of"], covered["whole"]) == (0, 48, 1000000, True)
    found = await device.check("at", "fold", audit=Audit(SEED, start=190, seconds=0.001))
    assert (found.ok, found.kind, found.facts["audit"]["point"]) == (False, "wrong_values", ["pos", value])
    assert f"pos = {value}" in found.reason
    known = await device.check("at", "fold", audit=Audit(0, 0, 0.0, (("pos", value), ("gone", 1)), False, alone=True))
    assert (known.kind, known.facts["calls"]) == ("wrong_values", 2)


async def test_regimes_of_audits_find_what_no_gate_draws(device: Device, pack: Pack, tmp_path: Path) -> None:
    await load(device, pack, "fold", "+ (allzero ? 1.0f : 0.0f)", tmp_path)
    assert (await device.check("at", "fold", promotion=True)).ok
    found = await device.check("at", "fold", audit=Audit(seconds=0.0))
    assert (found.ok, found.kind) == (False, "wrong_values")
    assert "zeros" in found.reason


async def test_where_the_control_is_wrong_as_well_the_pack_is_at_fault(
    device: Device, pack: Pack, tmp_path: Path
) -> None:
    for key in ("fold", "control"):
        await load(device, pack, key, "+ (allzero ? 1.0f : 0.0f)", tmp_path)
    report = await device.check("at", "fold", audit=Audit(seconds=0.0, control="control"))
    assert report.ok
    assert any("the baseline is wrong there as well" in text for text in report.findings)


async def test_where_the_reference_has_no_answer_an_audit_says_nothing(target: Target, tmp_path: Path) -> None:
    folder = tmp_path / "divided"
    (folder / "at").mkdir(parents=True)
    (folder / "pack.toml").write_text('name = "divided"\ntitle = "divided"\nkernels = ["at"]\n')
    divided = REFERENCE.replace("(1 + a[", "np.where((a['x'] == 0).all(axis=1)[:, None], np.nan, 1) * (1 + a[")
    for name, text in (
        ("kernel.toml", TOML),
        ("reference.py", f"import numpy as np\n{divided}"),
        ("baseline.c", kernel("")),
    ):
        (folder / "at" / name).write_text(text)
    pack = load_pack(folder)
    device = await Device.start(target, pack, tmp_path / "cache")
    try:
        await load(device, pack, "honest", "", tmp_path)
        report = await device.check("at", "honest", audit=Audit(seconds=0.0))
    finally:
        await device.close()
    assert (report.ok, report.reason) == (True, "")
    assert "void, the reference is not finite: zeros" in report.findings


async def test_an_honest_kernel_passes_an_audit(device: Device, pack: Pack, tmp_path: Path) -> None:
    for key in ("honest", "control"):
        await load(device, pack, key, "", tmp_path)
    report = await device.check("at", "honest", promotion=True, audit=Audit(SEED, seconds=0.2, control="control"))
    assert (report.ok, report.reason) == (True, "")
    assert report.facts["audit"]["sweep"]["to"] >= 48
    assert "zeros" in report.facts["audit"]["audit_regimes"]
