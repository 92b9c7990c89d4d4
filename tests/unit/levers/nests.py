"""Small C kernels around one mat-vec, in many spellings, and their values in float64."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kernels.values.candidate import Candidate
from kernels.values.formats import E2M1_TABLE, E4M3_TABLE, E5M2_TABLE, bf16_to_f32
from kernels.values.kernel import Argument, KernelSpec, Tolerance

ROWS = 37


def literal_table(name: str, values: NDArray[np.float32]) -> str:
    texts = [_literal(float(v)) for v in values]
    return f"static const float {name}[{len(values)}] = {{{', '.join(texts)}}};\n"


def _literal(value: float) -> str:
    if np.isnan(value):
        return "NAN"
    return f"{value!r}f" if np.isfinite(value) else "-INFINITY" if value < 0 else "INFINITY"


@dataclass(frozen=True)
class Nest:
    """A kernel `run(w, [s,] x, y)`. weights, scales: values by code; `block` columns share a scale."""

    name: str
    source: str
    weights: NDArray[np.float64]
    columns: int
    stored: str = "u8"
    nibbles: bool = False
    high_first: bool = False
    scales: NDArray[np.float64] | None = None
    block: int = 0
    scale_stored: str = "u8"
    order: tuple[str, ...] = ("w", "s", "x", "y")
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def spec(self) -> KernelSpec:
        per_row = self.columns // 2 if self.nibbles else self.columns
        shapes = {
            "w": Argument("w", self.stored, (ROWS, per_row), "weight"),
            "s": Argument("s", self.scale_stored, (ROWS, self.columns // (self.block or 1)), "weight"),
            "x": Argument("x", "f32", (self.columns,), "input"),
            "y": Argument("y", "f32", (ROWS,), "output"),
        }
        used = tuple(shapes[a] for a in self.order if a != "s" or self.block)
        return KernelSpec("p", self.name, "run", "", used, {"y": Tolerance(1e-3, 1e-3)}, (), ("random",), Path())

    @property
    def candidate(self) -> Candidate:
        return Candidate(self.name, {"kernel.c": '#include <math.h>\n#include "kernelwright.h"\n' + self.source})

    def renamed(self, names: Mapping[str, str]) -> "Nest":
        """The same kernel with other identifiers."""
        text = self.source
        for old, new in names.items():
            text = re.sub(rf"\b{old}\b", new, text)
        return replace(self, source=text, name=self.name + " renamed")

    def arrays(self, seed: int = 0) -> dict[str, NDArray]:
        rng = np.random.default_rng(seed)
        codes = np.flatnonzero(np.isfinite(self.weights)).astype(np.uint8)
        found: dict[str, NDArray] = {"y": np.full(ROWS, 99, np.float32)}
        found["x"] = bf16_to_f32(rng.integers(0x3F00, 0x4000, self.columns).astype(np.uint16)) * rng.choice(
            [-1, 1], self.columns
        )
        found["x"] = found["x"].astype(np.float32)
        count = self.columns // 2 if self.nibbles else self.columns
        if self.stored == "f32":
            found["w"] = rng.normal(size=(ROWS, count)).astype(np.float32)
        elif self.stored == "bf16":
            found["w"] = rng.integers(0x3F00, 0x4000, (ROWS, count)).astype(np.uint16)
        elif self.nibbles:
            found["w"] = rng.integers(0, 256, (ROWS, count)).astype(np.uint8)
        else:
            found["w"] = rng.choice(codes, (ROWS, count))
        if self.scales is not None:
            good = np.flatnonzero(np.isfinite(self.scales)).astype(np.uint8)
            found["s"] = rng.choice(good, (ROWS, self.columns // self.block))
        elif self.block:
            bits = rng.integers(0x3F00, 0x4000, (ROWS, self.columns // self.block)).astype(np.uint16)
            found["s"] = bits if self.scale_stored == "bf16" else bf16_to_f32(bits)
        return found

    def _scales(self, stored: NDArray) -> NDArray[np.float64]:
        if self.scales is not None:
            return self.scales[stored]
        return (bf16_to_f32(stored) if self.scale_stored == "bf16" else stored).astype(np.float64)

    def wanted(self, arrays: Mapping[str, NDArray]) -> NDArray[np.float64]:
        w = arrays["w"]
        if self.stored == "f32":
            matrix = w.astype(np.float64)
        elif self.stored == "bf16":
            matrix = bf16_to_f32(w).astype(np.float64)
        elif self.nibbles:
            first, second = (w >> 4, w & 15) if self.high_first else (w & 15, w >> 4)
            matrix = np.stack([self.weights[first], self.weights[second]], -1).reshape(ROWS, self.columns)
        else:
            matrix = self.weights[w]
        if self.block:
            matrix = matrix * np.repeat(self._scales(arrays["s"]), self.block, axis=1)
        return matrix @ arrays["x"].astype(np.float64)


E4M3 = E4M3_TABLE.astype(np.float64)
E5M2 = E5M2_TABLE.astype(np.float64)
E2M1 = E2M1_TABLE.astype(np.float64)
INT8 = np.arange(256, dtype=np.uint8).view(np.int8).astype(np.float64)
ODD = np.array([-3.0, 7.0, 0.25, -0.25, 1.0, 96.0, -1.5, 2.0, 0.5, 5.0, -5.0, 3.0, 12.0, -12.0, 6.0, 0.0])


def table_nest(name: str, table: NDArray[np.float32], columns: int = 200) -> Nest:
    source = (
        literal_table("T", table)
        + f"""
#define K {columns}
void run(const uint8_t *w, const float *x, float *y) {{
    for (int row = 0; row < {ROWS}; row++) {{
        float sum = 0.0f;
        for (int column = 0; column < K; column++) {{
            sum += T[w[row * K + column]] * x[column];
        }}
        y[row] = sum * 0.5f;
    }}
}}
"""
    )
    return Nest(name, source, table.astype(np.float64), columns)


POINTERS = Nest(
    "row pointers, i += 1, other order of arguments",
    literal_table("decode", E5M2_TABLE) + f"""
static void product(float *out, const float *v, int n, const uint8_t *matrix) {{
    int r;
    for (r = 0; r < {ROWS}; r += 1) {{
        const uint8_t *row = matrix + r * n;
        float acc = 0;
        for (int i = 0; i != n; i += 1) {{
            float weight = decode[*(row + i)];
            acc = acc + v[i] * weight;
        }}
        out[r] = acc;
    }}
}}
void run(float *y, const float *x, const uint8_t *w) {{
    product(y, x, 200, w);
}}
""",
    E5M2, 200, order=("y", "x", "w"),
)  # fmt: skip

SIGNED = Nest(
    "signed bytes without a table, y as the accumulator",
    f"""
void run(const int8_t *w, const float *x, float *y) {{
    for (int i = 0; i < {ROWS}; ++i) {{
        y[i] = 0.0f;
        for (int j = 0; j < 192; ++j)
            y[i] += (float)w[192 * i + j] * x[j];
        y[i] *= 2.0f;
    }}
}}
""",
    INT8, 192, stored="i8",
)  # fmt: skip

TWO_DIMENSIONS = Nest(
    "a two-dimensional array of floats",
    f"""
void run(const float *w, const float *x, float *y) {{
    const float (*A)[100] = (const float (*)[100])w;
    for (int i = 0; i < {ROWS}; i++) {{
        float s = 0.0f;
        for (int j = 0; j < 100; j++) s += w[i * 100 + j] * x[j];
        y[i] = s;
    }}
    (void)A;
}}
""",
    np.zeros(1), 100, stored="f32",
)  # fmt: skip

HALVES = Nest(
    "bf16 weights",
    f"""
void run(const kw_bf16 *w, const float *x, float *y) {{
    for (int i = 0; i < {ROWS}; i++) {{
        float s = 1.0f;
        for (int j = 0; j < 72; j++) s += kw_bf16_to_f32(w[i * 72 + j]) * x[j];
        y[i] = s - 1.0f;
    }}
}}
""",
    np.zeros(1), 72, stored="bf16",
)  # fmt: skip


def nibble_nest(name: str, table: NDArray, columns: int, high_first: bool = False, scaled: bool = True) -> Nest:
    first, second = ("code >> 4", "code & 15") if high_first else ("code & 15", "code >> 4")
    scale = "* S[s[row * (K / 16) + block]]" if scaled else ""
    source = (
        literal_table("T", table.astype(np.float32))
        + literal_table("S", E4M3_TABLE)
        + f"""
#define K {columns}
void run(const uint8_t *w, {"const uint8_t *s, " if scaled else ""}const float *x, float *y) {{
    for (int row = 0; row < {ROWS}; row++) {{
        float sum = 0.0f;
        for (int block = 0; block < K / 16; block++) {{
            float partial = 0.0f;
            for (int pair = 0; pair < 8; pair++) {{
                uint8_t code = w[row * (K / 2) + block * 8 + pair];
                partial += T[{first}] * x[block * 16 + 2 * pair];
                partial += T[{second}] * x[block * 16 + 2 * pair + 1];
            }}
            sum += partial {scale};
        }}
        y[row] = sum;
    }}
}}
"""
    )
    return Nest(
        name, source, table.astype(np.float64), columns, nibbles=True, high_first=high_first,
        scales=E4M3 if scaled else None, block=16 if scaled else 0,
    )  # fmt: skip


SCALED_BYTES = Nest(
    "bytes with a scale for 32 columns, in one loop",
    literal_table("T", E4M3_TABLE) + literal_table("S", E4M3_TABLE) + f"""
void run(const uint8_t *w, const uint8_t *s, const float *x, float *y) {{
    for (int i = 0; i < {ROWS}; i++) {{
        float sum = 0.0f;
        for (int j = 0; j < 160; j++) sum += T[w[i * 160 + j]] * S[s[i * 5 + j / 32]] * x[j];
        y[i] = sum;
    }}
}}
""",
    E4M3, 160, scales=E4M3, block=32,
)  # fmt: skip


def with_scales(nest: Nest, stored: str, block: int) -> Nest:
    """The nest with f32 or bf16 scales, one for `block` columns."""
    kind, load = ("float", "s[{0}]") if stored == "f32" else ("kw_bf16", "kw_bf16_to_f32(s[{0}])")
    source = nest.source.replace("const uint8_t *s", f"const {kind} *s")
    for old, index in (
        ("S[s[row * (K / 16) + block]]", f"row * (K / {block}) + block * 16 / {block}"),
        ("S[s[i * 5 + j / 32]]", f"i * (160 / {block}) + j / {block}"),
    ):
        source = source.replace(old, load.format(index))
    return replace(
        nest, name=f"{nest.name}, {stored} for {block}", source=source, scales=None, block=block, scale_stored=stored
    )


NESTS = [
    table_nest("e4m3 table", E4M3_TABLE),
    table_nest("e4m3 table, whole groups", E4M3_TABLE, 256),
    table_nest("any table", (np.arange(256) % 29 - 9).astype(np.float32)),
    POINTERS, SIGNED, TWO_DIMENSIONS, HALVES, SCALED_BYTES,
    nibble_nest("e2m1, scaled", E2M1, 400),
    nibble_nest("e2m1, scaled, whole groups", E2M1, 256),
    nibble_nest("other nibbles, high first", ODD, 240, high_first=True),
    nibble_nest("nibbles without scales", E2M1, 144, scaled=False),
    with_scales(nibble_nest("e2m1", E2M1, 416), "f32", 16), with_scales(nibble_nest("e2m1", E2M1, 416), "bf16", 32),
    with_scales(SCALED_BYTES, "f32", 16), with_scales(SCALED_BYTES, "bf16", 32),
]  # fmt: skip
EXPECTED_FACTOR = {"e4m3 table": 0.5, "e4m3 table, whole groups": 0.5, "any table": 0.5, SIGNED.name: 2.0}
