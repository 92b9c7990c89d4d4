"""A head with shapes taken home: it is measured at each of them, with the sizes that it had."""

import shutil
import subprocess
from pathlib import Path

import pytest

from kernels.packs.loader import load_pack
from kernels.targets.cpu_c.export import export_kernel
from kernels.values.candidate import Candidate

KERNEL = """
name = "mv"
title = "y = W x"
ring_mib = 1
argument = [
  {name = "W", dtype = "f32", shape = ["M", 32], role = "weight"},
  {name = "x", dtype = "f32", shape = [32], role = "input"},
  {name = "y", dtype = "f32", shape = ["M"], role = "output"},
  {name = "M", dtype = "i32", shape = [], role = "dimension"},
]
shapes = [{name = "short", M = 64}, {name = "tall", M = 300}]
[tolerance.y]
atol = 1e-4
rtol = 1e-4
"""
SOURCE = """#include "kernelwright.h"
void mv(const float *W, const float *x, float *y, int32_t M) {
    for (int i = 0; i < M; i++) {
        float sum = 0.0f;
        for (int j = 0; j < 32; j++) sum += W[i * 32 + j] * x[j];
        y[i] = sum;
    }
}
"""


def test_it_is_measured_at_every_shape(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        raise pytest.skip.Exception("gcc is not installed")
    (tmp_path / "two" / "mv").mkdir(parents=True)
    (tmp_path / "two" / "pack.toml").write_text('name = "two"\ntitle = "two"\nkernels = ["mv"]\n')
    (tmp_path / "two" / "mv" / "kernel.toml").write_text(KERNEL)
    spec = load_pack(tmp_path / "two").kernel("mv")
    source = Candidate("mv", {"kernel.c": SOURCE})
    files = export_kernel(spec, source, source, ("-std=gnu11", "-O2"), tmp_path / "out")
    assert {"bench-short.c", "bench-tall.c"} <= {file.name for file in files}
    done = subprocess.run([tmp_path / "out" / "reproduce.sh"], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.partition(": ")[0] for line in lines] == ["mv at shape short (M=64)", "mv at shape tall (M=300)"]
    assert all("outputs differ by 0.00e+00" in line for line in lines)


BARE = """
name = "twice"
title = "y = 2 x"
argument = [
  {name = "x", dtype = "i8", shape = [1003], role = "input", generate = ["int", -9, 9]},
  {name = "y", dtype = "i8", shape = [1003], role = "output"},
]
tolerance.y = {atol = 0, rtol = 0}
"""


def test_a_kernel_without_weights_is_measured_too(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        raise pytest.skip.Exception("gcc is not installed")
    (tmp_path / "bare" / "twice").mkdir(parents=True)
    (tmp_path / "bare" / "pack.toml").write_text('name = "bare"\ntitle = "bare"\nkernels = ["twice"]\n')
    (tmp_path / "bare" / "twice" / "kernel.toml").write_text(BARE)
    spec = load_pack(tmp_path / "bare").kernel("twice")
    head = Candidate("twice", {"kernel.c": '#include "kernelwright.h"\nvoid twice(const int8_t *x, int8_t *y) '
                                           "{ for (int i = 0; i < 1003; i++) y[i] = 2 * x[i]; }"})  # fmt: skip
    export_kernel(spec, head, head, ("-std=gnu11", "-O2"), tmp_path / "out")
    done = subprocess.run([tmp_path / "out" / "reproduce.sh"], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "outputs differ by 0.00e+00" in done.stdout
