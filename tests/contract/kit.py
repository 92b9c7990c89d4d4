"""The sources of the contract in one language, and the packs of one kernel that they are of."""

from functools import partial
from pathlib import Path
from typing import Final

from kernels.values.dialect import C, Dialect
from tests.contract.target_contract import Sources

ROWS, COLUMNS = 512, 1024  # so much work that a call takes longer than what a busy machine adds to it
BROKEN_LINE: Final = 7
KERNEL = """
name = "mv"
title = "y = W x * scale"
ring_mib = 4
regimes = ["random"]
argument = [
  {name = "W", dtype = "f32", shape = [%(rows)d, %(columns)d], role = "weight", generate = ["uniform", -1.0, 1.0]},
  {name = "x", dtype = "f32", shape = [%(columns)d], role = "input", generate = ["uniform", -1.0, 1.0]},
  {name = "scale", dtype = "f32", shape = [], role = "input", generate = ["uniform", 0.5, 2.0]},
  {name = "y", dtype = "f32", shape = [%(rows)d], role = "output"},
]
matrix = [{name = "M", codes = "W"}]
[tolerance.y]
atol = 1e-3
rtol = 1e-4
"""
REFERENCE = 'def reference(a):\n    return {"y": a["M"].apply(a["x"]) * a["scale"].reshape(-1, 1)}\n'
SHAPED_KERNEL = """
name = "mv"
title = "y = W x, of sizes that are arguments"
ring_mib = 4
operations = [2, "M", "K"]
regimes = ["random"]
argument = [
  {name = "W", dtype = "f32", shape = ["M", "K"], role = "weight", generate = ["uniform", -1.0, 1.0]},
  {name = "x", dtype = "f32", shape = ["K"], role = "input", generate = ["uniform", -1.0, 1.0]},
  {name = "y", dtype = "f32", shape = ["M"], role = "output"},
  {name = "M", dtype = "i32", shape = [], role = "dimension"},
  {name = "K", dtype = "i32", shape = [], role = "dimension"},
]
shapes = [{name = "wide", weight = 3, M = 256, K = 2048}, {name = "tall", M = 2001, K = 255}]
matrix = [{name = "A", codes = "W"}]
[tolerance.y]
atol = 1e-3
rtol = 1e-4
"""
SHAPED_REFERENCE = 'def reference(a):\n    return {"y": a["A"].apply(a["x"])}\n'
GOOD_C = f"""#include "kernelwright.h"

void mv(const float *W, const float *x, float scale, float *y) {{
    for (int row = 0; row < {ROWS}; row++) {{
        float sum = 0.0f;
        for (int column = 0; column < {COLUMNS}; column++) sum += W[row * {COLUMNS} + column] * x[column];
        y[row] = sum * scale;
    }}
}}
"""
SHAPED_C = """#include "kernelwright.h"

void mv(const float *W, const float *x, float *y, int32_t M, int32_t K) {
    for (int row = 0; row < M; row++) {
        float sum = 0.0f;
        for (int column = 0; column < K; column++) sum += W[row * K + column] * x[column];
        y[row] = sum;
    }
}
"""


def sources_of(folder: Path, dialect: Dialect, good: str, shaped: str) -> Sources:
    """good, shaped: baselines of the two packs. Both say `y[row] = sum`, `good` in line `BROKEN_LINE`."""
    made = partial(dialect.candidate, "mv")
    return Sources(
        good=made(good), twin=made(f"/* the same */ {good}"), different=made(good.replace("* scale", "- scale")),
        broken=made(good.replace("sum * scale", "sums * scale")),
        endless=made(good.replace("y[row] = ", "for (volatile int i = 0;; i++) y[row] = ")),
        pack=small_pack(folder, good, dialect.baseline, ROWS, COLUMNS),
        shaped=pack_of(folder / "shaped", SHAPED_KERNEL, SHAPED_REFERENCE, shaped, dialect.baseline),
        uneven=made(shaped.replace("= sum;", "= row < 1000 ? sum : sum + 1.0f;")), broken_line=BROKEN_LINE,
    )  # fmt: skip


def c_sources(folder: Path) -> Sources:
    return sources_of(folder, C, GOOD_C, SHAPED_C)


def small_pack(folder: Path, baseline: str, file: str = C.baseline, rows: int = 8, columns: int = 64) -> Path:
    return pack_of(folder / "small", KERNEL % {"rows": rows, "columns": columns}, REFERENCE, baseline, file)


def pack_of(folder: Path, contract: str, reference: str, baseline: str, file: str) -> Path:
    """A pack of the kernel `mv` in this folder."""
    kernel = folder / "mv"
    kernel.mkdir(parents=True)
    (folder / "pack.toml").write_text(f'name = "{folder.name}"\ntitle = "{folder.name}"\nkernels = ["mv"]\n')
    for name, text in (("kernel.toml", contract), ("reference.py", reference), (file, baseline)):
        (kernel / name).write_text(text)
    return folder
