"""The AVX2 step for 64 columns of nibbles, two codes a byte, with the scales of a row decoded once."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kernels.levers.matvec import MatVec
from kernels.levers.operands import Scale
from kernels.levers.sketches import decoders
from kernels.levers.sketches.method import bf16_bits, fill, literals

COLUMNS = 64
Shift = Callable[[NDArray[np.float64]], tuple[int, int] | None]


def nibbles(found: MatVec, n: int, rows: str, shift: Shift) -> decoders.Decoder:
    """shift: how a table of small floats becomes binary16. The weights must be exact in bf16."""
    text = "".join(_planes(t, i, n) for i, t in enumerate(found.weights.tables))
    scale = found.scale
    text += fill(
        "step_nibbles_avx2.c.in", n=n, even="low" if found.weights.even_is_low else "high",
        odd="high" if found.weights.even_is_low else "low", parameter=", const float *scales" if scale else "",
        scaled=_scaled(scale, n) if scale else _summed(n),
    )  # fmt: skip
    if scale is not None:
        text += _scale_row(scale, n, shift)
    setup = _setup(scale, n, rows) if scale is not None else ""
    return decoders.Decoder(decoders.types(n, "8"), text, "8", picks=_picks(), setup=setup)


def _planes(table: NDArray[np.float64], which: int, n: int) -> str:
    """Low and high bytes of the bf16 values, in both halves of a vector."""
    bits = bf16_bits(table)
    if bits is None:
        raise ValueError("not bf16")
    return "".join(
        f"static const _Alignas(32) uint8_t kw_{name}{which}_{n}[32] = {{\n    {literals(np.tile(plane, 2))}\n}};\n"
        for name, plane in (("low", bits & 255), ("high", bits >> 8))
    )


def _picks() -> tuple[int, ...]:
    """Column of each element: eight vectors, by part of the unpacking, nibble of the byte, half of the 32-bit lane."""
    return tuple(
        2 * (16 * half + 8 * part + 2 * lane + word) + nibble
        for part in range(2)
        for nibble in range(2)
        for word in range(2)
        for half in range(2)
        for lane in range(4)
    )


def _scaled(scale: Scale, n: int) -> str:
    """Adds the two parts, each lane times the scale of its block."""

    def spread(part: int) -> str:
        low, high = 16 * part // scale.block, (32 + 16 * part) // scale.block
        index = f"_mm256_setr_epi32({literals([low] * 4 + [high] * 4)})"
        return f"_mm256_permutevar_ps(all, {index})"

    return (
        "    const __m256 all = _mm256_broadcast_ps((const __m128 *)scales);\n"
        f"    const __m256 total = _mm256_fmadd_ps(part[0], {spread(0)}, (__m256)sum);\n"
        f"    return (kw_f_{n})_mm256_fmadd_ps(part[1], {spread(1)}, total);"
    )


def _summed(n: int) -> str:
    return f"    return (kw_f_{n})_mm256_add_ps((__m256)sum, _mm256_add_ps(part[0], part[1]));"


def _scale_row(scale: Scale, n: int, shift: Shift) -> str:
    kind = {"byte": "uint8_t", "f32": "float", "bf16": "kw_bf16"}[scale.kind]
    one = {"byte": f"kw_scales_{n}[s[b]]", "f32": "s[b]", "bf16": "kw_bf16_to_f32(s[b])"}[scale.kind]
    found = shift(scale.table) if scale.table is not None else None
    vector = "" if found is None else _eight(*found)
    return fill("scale_row.c.in", n=n, type=kind, vector=vector, one=one)


def _eight(shift: int, exponent: int) -> str:
    """Eight scales at a time as binary16."""
    mask = 0x8000 | ((1 << (7 + shift)) - 1)
    return f"""    for (; b + 8 <= blocks; b += 8) {{
        const __m128i wide = _mm_slli_epi16(_mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)(s + b))), {shift});
        const __m256 half = _mm256_cvtph_ps(_mm_and_si128(wide, _mm_set1_epi16((short){mask:#x})));
        _mm256_storeu_ps(to + b, _mm256_mul_ps(half, _mm256_set1_ps(0x1p{exponent}f)));
    }}
"""


def _setup(scale: Scale, n: int, rows: str) -> str:
    return (
        f"    const int64_t blocks = (n + {scale.block - 1}) / {scale.block};\n"
        f"    float scale[{rows}][blocks + 8];\n"
        f"    for (int r = 0; r < rows; r++) kw_scale_row_{n}(s[r], blocks, scale[r]);\n"
    )
