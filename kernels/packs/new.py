"""Writes a working pack for a user to edit: one small int8 kernel with contract, reference and baseline."""

from pathlib import Path
from typing import Final

from kernels.packs.contract import identifier
from kernels.packs.toml import PackError

KERNEL: Final = "scaled_gemv"

_PACK: Final = """name = "{name}"
title = "{name}: say here what these kernels are for"
kernels = ["{kernel}"] # one folder each
"""

_CONTRACT: Final = """# y = (W x) * scale, W int8 with one float scale per row. Edit, then run the linter again.
#
# Say here what the kernel computes, where it rounds, and which arguments may share memory (none, unless you say so).
name = "{kernel}"
title = "y = (W x) * scale"
entry = "{kernel}" # the C function
operations = 2097152 # multiplications and additions of one call
threads = "pool"
ring_mib = 120 # copies of the weights are rotated through at least this much memory
regimes = ["random", "one_hot", "heavy_tailed", "large", "small", "negative"]

# Arguments in call order. role: weight (read-only, rotated), input (fresh in every call), output, inout.
[[argument]]
name = "W"
dtype = "i8"
shape = [1024, 1024]
role = "weight"
generate = ["int", -127, 128]

[[argument]]
name = "scale"
dtype = "f32"
shape = [1024]
role = "weight"
generate = ["uniform", 0.001, 0.01]

[[argument]]
name = "x"
dtype = "f32"
shape = [1024]
role = "input"
generate = ["uniform", -1.0, 1.0]

[[argument]]
name = "y"
dtype = "f32"
shape = [1024]
role = "output"

# A weight that the kernel only multiplies with vectors: its copies may be secret permutations, decoded once.
[[matrix]]
name = "M"
codes = "W"
scales = "scale"

# Every element: |got - want| <= atol + rtol |want|. Over the output: rms error and largest error, both over the rms.
[tolerance.y]
atol = 5e-2
rtol = 1e-4
nrmse = 1e-5
max_over_rms = 1e-4
"""

_REFERENCE: Final = '''"""y = (W x) * scale in float64. Write it from the mathematics, not from the C baseline."""

from collections.abc import Mapping
from typing import Any


def reference(a: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments arrive decoded, with a leading axis of calls; a [[matrix]] arrives with codes and scales applied.

    An optional `inputs(rng, regime)` may return the stored input arrays of one call; without it `generate` makes them.
    Beside it, `inputs_at(rng, regime, name, value)` lets audits set one integer input to every value of its domain.
    """
    return {"y": a["M"].apply(a["x"])}
'''

_BASELINE: Final = """#include "kernelwright.h"

#define ROWS 1024
#define COLUMNS 1024

void {kernel}(const int8_t *W, const float *scale, const float *x, float *y) {{
    for (int row = 0; row < ROWS; row++) {{
        float sum = 0.0f;
        for (int column = 0; column < COLUMNS; column++) {{
            sum += W[row * COLUMNS + column] * x[column];
        }}
        y[row] = sum * scale[row];
    }}
}}
"""


def new_pack(name: str, folder: Path) -> Path:
    """Write the pack `name` into `folder` (usually `packs/` of the workspace) and return its folder.

    Raises: PackError when the name is no identifier, when it exists, or when it cannot be written.
    """
    identifier(name, f"new pack {name!r}")
    pack = folder / name
    if pack.exists():
        raise PackError(f"new pack {name!r}", f"{pack} exists", "Choose another name, or remove it")
    files = {
        "pack.toml": _PACK.format(name=name, kernel=KERNEL),
        f"{KERNEL}/kernel.toml": _CONTRACT.format(kernel=KERNEL),
        f"{KERNEL}/reference.py": _REFERENCE,
        f"{KERNEL}/baseline.c": _BASELINE.format(kernel=KERNEL),
    }
    try:
        for path, text in files.items():
            (pack / path).parent.mkdir(parents=True, exist_ok=True)
            (pack / path).write_text(text, encoding="utf-8")
    except OSError as error:
        todo = "Choose a folder you may write to"
        raise PackError(f"new pack {name!r}", f"cannot write {pack}: {error.strerror}", todo) from error
    return pack
