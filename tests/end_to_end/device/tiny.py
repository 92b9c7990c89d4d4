"""A tiny pack, and candidates built past the object scan, so that the referee alone must catch them."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from kernels.targets.cpu_c.trampoline import trampoline
from kernels.values.kernel import KernelSpec

INCLUDE = Path(__file__).parents[3] / "kernels" / "targets" / "cpu_c" / "include"
Build = Callable[[str, str], Path]

KERNEL = """
name = "{name}"
title = "y = W x + b"
ring_mib = 2
operations = 262144
regimes = ["random", "one_hot", "heavy_tailed", "large", "small", "negative"]
argument = [
  {{name = "W", dtype = "f32", shape = [{rows}, 512], role = "weight", generate = ["uniform", -1.0, 1.0]}},
  {{name = "b", dtype = "f32", shape = [{rows}], role = "weight", generate = ["uniform", -1.0, 1.0]}},
  {{name = "x", dtype = "f32", shape = [512], role = "input", generate = ["uniform", -1.0, 1.0]}},
  {{name = "y", dtype = "f32", shape = [{rows}], role = "output"}},
]
matrix = [{{name = "M", codes = "W"}}]
[tolerance.y]
atol = 1e-4
rtol = 1e-4
"""
REFERENCE = """
def reference(a):
    return {"y": a["M"].apply(a["x"]) + a["b"]}
"""
PRELUDE = """
#include "kernelwright.h"
#define K 512
static inline void honest(const float *W, const float *b, const float *x, float *y) {
    for (int i = 0; i < M; i++) {
        double s = 0;
        for (int j = 0; j < K; j++) s += (double)W[i * K + j] * x[j];
        y[i] = (float)(s + b[i]);
    }
}
"""
SIGNATURE = "void NAME(const float *W, const float *b, const float *x, float *y)"
HONEST = SIGNATURE + "{ honest(W, b, x, y); }"
ROWS = {"mv": 256, "odd": 250, "big": 4096}


def source(kernel: str, body: str) -> str:
    return f"#define M {ROWS[kernel]}\n#define NAME {kernel}\n{PRELUDE}{body}"


def compile_unscanned(text: str, spec: KernelSpec, folder: Path, *flags: str) -> Path:
    """A shared object of the candidate and the trampoline, without any of the gates."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "candidate.c").write_text(text)
    (folder / "trampoline.c").write_text(trampoline(spec))
    library = folder / "candidate.so"
    command = ["gcc", "-shared", "-fPIC", "-O2", "-w", *flags, f"-I{INCLUDE}", "-o", str(library)]
    subprocess.run([*command, str(folder / "candidate.c"), str(folder / "trampoline.c"), "-lm"], check=True)
    return library
