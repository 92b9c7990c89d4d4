"""AVX-512 parts that weights and scales share: decoding 64 bytes by table, spreading scales over lanes."""

import numpy as np
from numpy.typing import NDArray

from kernels.levers.matvec import MatVec
from kernels.levers.operands import Scale
from kernels.levers.sketches.method import bf16_bits, fill, literals, odd_symmetric


def group_of(found: MatVec) -> int:
    return {"nibble": 128, "byte": 64, "bf16": 32}[found.weights.kind]


def finest_block(found: MatVec) -> int:
    return {"nibble": 8, "byte": 16, "bf16": 2}[found.weights.kind]


def byte_table(name: str, values: NDArray[np.float64]) -> str:
    """Decoder of 64 codes by this table."""
    bits = bf16_bits(values)
    if bits is None:
        raise ValueError("not bf16")
    halves = odd_symmetric(values)
    bits = bits[:128] if halves else bits
    fold = (
        "    *high = _mm512_ternarylogic_epi32(*high, codes, _mm512_set1_epi8((char)0x80), 0xf8);\n"
        if halves
        else "    const __mmask64 upper = _mm512_movepi8_mask(codes);\n"
        "    *low = _mm512_mask_blend_epi8(upper, *low, _mm512_permutex2var_epi8(l[2], codes, l[3]));\n"
        "    *high = _mm512_mask_blend_epi8(upper, *high, _mm512_permutex2var_epi8(h[2], codes, h[3]));\n"
    )
    return fill(
        "bytes_bf16.c.in", id=name, entries=len(bits), low=literals(bits & 255), high=literals(bits >> 8), fold=fold
    )


def scales(found: MatVec, n: int, nest: int) -> tuple[str, str]:
    """Statements before the loop, and the parameter."""
    scale = found.scale
    if scale is None:
        return "", ""
    lanes = _lane_blocks(found, scale)
    if scale.kind == "f32":
        return f"    const __m512i spread = _mm512_setr_epi32({literals(lanes)});", " const float *const *s,"
    words = [b for b in lanes for _ in range(2)]
    index = (
        f"    static const _Alignas(64) uint16_t spread_words[32] = {{\n        {literals(words)}\n    }};\n"
        "    const __m512i spread = *(const __m512i *)spread_words;"
    )
    if scale.kind == "bf16":
        return index, " const kw_bf16 *const *s,"
    return index + _scale_buffer(n, nest, scale), " const uint8_t *const *s,"


def scale_vector(found: MatVec, scale: Scale, n: int, rest: bool) -> str:
    """The scales of one step, each in the lanes whose sums it multiplies. rest: those beyond the row are not read."""
    per_step = group_of(found) // scale.block
    count = f"((n - here + {scale.block - 1}) / {scale.block})"
    some = f"((1ull << ({count} < {per_step} ? {count} : {per_step})) - 1)" if rest else f"{(1 << per_step) - 1:#x}"
    at = f"here / {scale.block}"
    if scale.kind == "f32":
        return f"_mm512_permutexvar_ps(spread, _mm512_maskz_loadu_ps((__mmask16){some}, s[r] + {at}))"
    words = f"_mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(scale[r] + {at})))"
    if scale.kind == "bf16":
        words = f"_mm512_maskz_loadu_epi16((__mmask32){some}, s[r] + {at})"
    elif per_step > 8:
        words = f"_mm512_loadu_si512(scale[r] + {at})"
    return f"(__m512)_mm512_maskz_permutexvar_epi16(0xaaaaaaaa, spread, {words})"


def _lane_blocks(found: MatVec, scale: Scale) -> list[int]:
    """The block, within a step, that each of the 16 sums belongs to."""
    match found.weights.kind:
        case "nibble":
            return [8 * j // scale.block for j in range(16)]
        case "byte":
            return [16 * (j // 4) // scale.block for j in range(16)]
        case _:
            return [2 * j // scale.block for j in range(16)]


def _scale_buffer(n: int, nest: int, scale: Scale) -> str:
    """All scales of the rows as bf16, in order."""
    return f"""
    const int64_t blocks = (n + {scale.block - 1}) / {scale.block};
    _Alignas(64) uint16_t scale[KW_TUNE_ROWS_{nest}][(blocks + 127) / 64 * 64];
    const __m512i halves = _mm512_set_epi64(0x5f1f5e1e5d1d5c1c, 0x5b1b5a1a59195818, 0x5717561655155414,
                                            0x5313521251115010, 0x4f0f4e0e4d0d4c0c, 0x4b0b4a0a49094808,
                                            0x4707460645054404, 0x4303420241014000);
    for (int r = 0; r < rows; r++)
        for (int64_t b = 0; b < blocks; b += 64) {{
            const __mmask64 mask = blocks - b >= 64 ? ~0ull : (1ull << (blocks - b)) - 1;
            __m512i low, high;
            kw_decode_scale_{n}(_mm512_maskz_loadu_epi8(mask, s[r] + b), &low, &high);
            _mm512_store_si512(scale[r] + b, _mm512_permutex2var_epi8(low, halves, high));
            const __m512i rest = _mm512_or_si512(halves, _mm512_set1_epi8(0x20));
            _mm512_store_si512(scale[r] + b + 32, _mm512_permutex2var_epi8(low, rest, high));
        }}"""
