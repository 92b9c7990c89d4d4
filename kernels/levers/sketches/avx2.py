"""AVX2 with F16C: small floats become binary16 by a shift, nibbles by a byte shuffle, then vcvtph2ps.

A small float with at most five exponent bits is, shifted, a binary16 of the same exponent field: its value differs by a
power of two, subnormals included, which is put back into the sum. Intel, "64 and IA-32 Architectures Software
Developer's Manual", volume 2: VCVTPH2PS, VPSHUFB.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernels.levers.matvec import MatVec
from kernels.levers.sketches import decoders
from kernels.levers.sketches.codes import integer_kind, mini_float, power_of_two
from kernels.levers.sketches.method import Code, literals
from kernels.levers.sketches.portable import render
from kernels.values.machine import Machine


@dataclass(frozen=True, slots=True)
class Avx2:
    name: str = "avx2"
    guard: str = "defined(__AVX2__) && defined(__F16C__) && defined(__FMA__)"
    needs: tuple[str, ...] = ("avx2", "f16c", "fma")
    reason: str = "codes become binary16 by shifts or shuffles, eight products an instruction"
    keeps_nan: bool = False

    def unfit(self, found: MatVec) -> str:
        if found.scale is not None and found.scale.block < 16:
            return "scales of short blocks"
        match found.weights.kind:
            case "byte":
                fits = bool(integer_kind(found.weights.tables[0])) or _shift(found.weights.tables[0]) is not None
                return "" if fits else "the table is neither an integer nor a small float"
            case "nibble":
                fits = all(_high_bytes(t) is not None for t in found.weights.tables)
                return "" if fits else "a value is not a binary16 with an empty low byte"
        return "nothing to decode"

    def variants(self, found: MatVec, machine: Machine) -> Sequence[dict[str, int]]:
        none: dict[str, int] = {}
        return (none,)

    def render(self, found: MatVec, number: int, nest: int, params: dict[str, int]) -> Code:
        kind = found.weights.kind
        decoder = _nibbles(found, number) if kind == "nibble" else _bytes(found.weights.tables[0], number)
        return render(found, number, nest, decoder, 8)


def _shift(values: NDArray[np.float64]) -> tuple[int, int] | None:
    """(left shift to binary16, exponent of the factor that is left), or None."""
    small = mini_float(values)
    if small is None or small.mantissa < 2:
        return None
    return 10 - small.mantissa, 15 - small.bias


def _bytes(values: NDArray[np.float64], n: int) -> decoders.Decoder:
    codes = "_mm_loadl_epi64((const __m128i *)w)"
    kind = integer_kind(values)
    if kind:
        wide = f"_mm256_cvtep{'i' if kind == 'int8_t' else 'u'}8_epi32({codes})"
        body = f"return (kw_f_{n})_mm256_cvtepi32_ps({wide});"
        return decoders.Decoder(decoders.types(n, "8"), decoders.load(n, "uint8_t", body), "8")
    found = _shift(values)
    if found is None:
        raise ValueError("no small float")
    shift, exponent = found
    mask = 0x8000 | ((1 << (7 + shift)) - 1)
    body = (
        f"const __m128i wide = _mm_slli_epi16(_mm_cvtepi8_epi16({codes}), {shift});\n"
        f"    return (kw_f_{n})_mm256_cvtph_ps(_mm_and_si128(wide, _mm_set1_epi16((short){mask:#x})));"
    )
    factor = power_of_two(exponent) if exponent else ""
    return decoders.Decoder(decoders.types(n, "8"), decoders.load(n, "uint8_t", body), "8", "", factor)


def _high_bytes(values: NDArray[np.float64]) -> NDArray[np.uint16] | None:
    """High bytes of the values as binary16, or None when one is not exact or its low byte is not empty."""
    if not np.isfinite(values).all() or np.abs(values).max() > 60000:
        return None
    half = values.astype(np.float16)
    bits = half.view(np.uint16)
    exact = np.array_equal(half.astype(np.float64), values) and not (bits & 255).any()
    return bits >> 8 if exact else None


def _nibbles(found: MatVec, n: int) -> decoders.Decoder:
    tables = [_high_bytes(t) for t in found.weights.tables]
    low, high = "_mm_and_si128(codes, mask)", "_mm_and_si128(_mm_srli_epi16(codes, 4), mask)"
    picks = (low, high) if found.weights.even_is_low else (high, low)
    lines = [
        f"static const _Alignas(16) uint8_t kw_half{i}_{n}[16] = {{{literals(t)}}};"
        for i, t in enumerate(tables)
        if t is not None
    ]
    step = [
        f"static inline __attribute__((always_inline)) kw_f_{n} kw_step_{n}(",
        f"    kw_f_{n} sum, const uint8_t *w, const float *x, float first, float second) {{",
        "    const __m128i codes = _mm_loadu_si128((const __m128i *)w), mask = _mm_set1_epi8(15);",
        "    const __m128i zero = _mm_setzero_si128();",
        *(
            f"    const __m128i h{i} = _mm_shuffle_epi8(*(const __m128i *)kw_half{i}_{n}, {pick});"
            for i, pick in enumerate(picks)
        ),
        *(
            f"    const __m256 d{k}{i} = _mm256_cvtph_ps(_mm_unpack{side}_epi8(zero, h{i}));"
            for k, side in enumerate(("lo", "hi"))
            for i in range(2)
        ),
        "    __m256 a = _mm256_mul_ps(d00, _mm256_loadu_ps(x)), b = _mm256_mul_ps(d10, _mm256_loadu_ps(x + 8));",
        "    a = _mm256_fmadd_ps(d01, _mm256_loadu_ps(x + 16), a);",
        "    b = _mm256_fmadd_ps(d11, _mm256_loadu_ps(x + 24), b);",
        "    const __m256 total = _mm256_fmadd_ps(a, _mm256_set1_ps(first), (__m256)sum);",
        f"    return (kw_f_{n})_mm256_fmadd_ps(b, _mm256_set1_ps(second), total);",
        "}",
    ]
    return decoders.Decoder(decoders.types(n, "8"), "\n".join([*lines, *step]) + "\n\n", "8", steps=True)
