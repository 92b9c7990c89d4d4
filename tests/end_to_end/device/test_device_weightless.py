"""A kernel without any weights: nothing to probe, and still checked and timed."""

from pathlib import Path

from kernels.device.client import Device
from kernels.packs.loader import load_pack
from kernels.targets.base import Target
from tests.end_to_end.device.tiny import compile_unscanned

KERNEL = """
name = "twice"
title = "y = 2 x"
argument = [
  {name = "x", dtype = "f32", shape = [100003], role = "input"},
  {name = "y", dtype = "f32", shape = [100003], role = "output"},
]
tolerance.y = {atol = 1e-6, rtol = 1e-6}
"""
SOURCE = "void twice(const float *x, float *y) { for (int i = 0; i < 100003; i++) y[i] = 2 * x[i]; }"


async def test_a_kernel_without_weights_is_checked_and_timed(target: Target, tmp_path: Path) -> None:
    folder = tmp_path / "bare"
    (folder / "twice").mkdir(parents=True)
    (folder / "pack.toml").write_text('name = "bare"\ntitle = "bare"\nkernels = ["twice"]\n')
    (folder / "twice" / "kernel.toml").write_text(KERNEL)
    (folder / "twice" / "reference.py").write_text('def reference(a):\n    return {"y": 2 * a["x"]}\n')
    (folder / "twice" / "baseline.c").write_text(SOURCE)
    pack = load_pack(folder)
    device = await Device.start(target, pack, tmp_path / "device")
    try:
        await device.load("twice", "a", compile_unscanned(SOURCE, pack.kernel("twice"), tmp_path / "so"))
        assert (await device.peak("twice")).gbs == 0.0
        assert (await device.check("twice", "a")).ok
        test = await device.begin_test("twice", "a", "a")
        pair = await device.pair(test, "head", 1e6)
        assert pair.redo_reason == ""
        assert (await device.end_test(test)).ok
    finally:
        await device.close()
