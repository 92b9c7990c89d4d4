"""The contract about threads: OpenMP may keep its threads asleep, nobody may keep one at work, and none means one."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from kernels.device.client import Device
from kernels.packs.loader import load_pack
from kernels.targets.base import Target
from kernels.values.kernel import Pack
from tests.end_to_end.device.tiny import compile_unscanned

KERNEL = """
name = "{name}"
title = "y = 2 x"
threads = "{name}"
argument = [
  {{name = "x", dtype = "f32", shape = [4096], role = "input"}},
  {{name = "y", dtype = "f32", shape = [4096], role = "output"}},
]
tolerance.y = {{atol = 1e-6, rtol = 1e-6}}
"""
LOOP = "for (int i = 0; i < 4096; i++) y[i] = 2 * x[i];"
OPENMP = f"void openmp(const float *x, float *y) {{\n#pragma omp parallel for num_threads(2)\n{LOOP} }}"
WORKER = f"""
#include <pthread.h>
static void *work(void *p) {{ for (volatile long i = 0;; i++) ; return p; }}
void openmp(const float *x, float *y) {{
    static int started;
    pthread_t thread;
    if (!started++ && !pthread_create(&thread, 0, work, 0)) pthread_detach(thread);
    {LOOP}
}}
"""
POOL = f"""
#include "kernelwright.h"
static float seen[64];
static void part(void *c, int64_t b, int64_t e, int t) {{ seen[t] = 1; }}
void none(const float *x, float *y) {{
    kw_parallel_for(64, 1, part, 0);
    {LOOP}
    y[0] += seen[1] + kw_threads() - 1;
}}
"""


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    folder = tmp_path / "threaded"
    for name in ("openmp", "none"):
        (folder / name).mkdir(parents=True)
        (folder / name / "kernel.toml").write_text(KERNEL.format(name=name))
        (folder / name / "reference.py").write_text('def reference(a):\n    return {"y": 2 * a["x"]}\n')
        (folder / name / "baseline.c").write_text(f"void {name}(const float *x, float *y) {{ {LOOP} }}")
    (folder / "pack.toml").write_text('name = "threaded"\ntitle = "threaded"\nkernels = ["openmp", "none"]\n')
    return load_pack(folder)


@pytest.fixture
async def own(target: Target, pack: Pack, tmp_path: Path) -> AsyncGenerator[Device]:
    one = await Device.start(target, pack, tmp_path / "device")
    yield one
    await one.close()


async def _kind(device: Device, pack: Pack, kernel: str, source: str, folder: Path) -> str:
    await device.load(kernel, "k", compile_unscanned(source, pack.kernel(kernel), folder / "so", "-fopenmp"))
    report = await device.check(kernel, "k")
    assert report.ok == (report.kind == "")
    return report.kind


async def test_openmp_keeps_its_threads_where_the_contract_says_so(own: Device, pack: Pack, tmp_path: Path) -> None:
    assert await _kind(own, pack, "openmp", OPENMP, tmp_path) == ""
    test = await own.begin_test("openmp", "k", "k")
    assert (await own.pair(test, "head", 1e6)).head.calls == 40
    assert (await own.end_test(test)).ok


async def test_a_thread_that_goes_on_is_misconduct_all_the_same(own: Device, pack: Pack, tmp_path: Path) -> None:
    assert await _kind(own, pack, "openmp", WORKER, tmp_path) == "own_threads"


async def test_a_contract_without_threads_has_one(own: Device, pack: Pack, tmp_path: Path) -> None:
    assert await _kind(own, pack, "none", POOL, tmp_path) == ""
