"""The imported packs on a device: baselines pass, every argument shows in some answer, one wrong number is refused."""

from pathlib import Path

import pytest

from kernels.device.client import Device
from kernels.device.report import CheckReport
from kernels.packs.loader import baseline, load_pack
from kernels.targets.base import Target
from kernels.values.candidate import Candidate

LARGE = ("atax", "bicg", "mvt", "gemver", "gesummv", "jacobi-2d", "correlation")


async def checked(target: Target, pack_name: str, folder: Path, *sources: str) -> list[CheckReport]:
    """Of the baseline, and of each of these sources."""
    pack = load_pack(pack_name)
    spec = pack.kernels[0]
    device = await Device.start(target, pack, folder / "device")
    try:
        reports = []
        for number, text in enumerate((baseline(spec).source, *sources)):
            built = target.compile(Candidate(spec.name, {"kernel.c": text}), spec, folder / str(number))
            await device.load(spec.name, str(number), built.path)
            reports.append(await device.check(spec.name, str(number)))
        return reports
    finally:
        await device.close()


@pytest.mark.device
async def test_whole_numbers_are_exact(target: Target, tmp_path: Path) -> None:
    honest = baseline(load_pack("nussinov").kernels[0]).source
    wrong = honest.replace("void nussinov(", "static void inner(", 1) + (
        "\nvoid nussinov(const int8_t seq[N], int32_t table[N][N]) {\n    inner(seq, table);\n"
        "    table[7][N - 1] += 1;\n}\n"
    )
    right, off = await checked(target, "nussinov", tmp_path, wrong)
    assert (right.ok, right.facts["influence_not_visible"]) == (True, [])
    assert (off.ok, off.kind) == (False, "wrong_values")


@pytest.mark.device
@pytest.mark.long
@pytest.mark.parametrize("name", LARGE)
async def test_the_baseline_passes_and_every_argument_shows(target: Target, tmp_path: Path, name: str) -> None:
    (report,) = await checked(target, name, tmp_path)
    assert (report.ok, report.reason, report.facts["influence_not_visible"]) == (True, "", [])
