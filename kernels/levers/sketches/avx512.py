"""AVX-512 BF16: codes to bf16 by byte permutes from the table of the source, then vdpbf16ps.

Bytes: two lookups of 128 entries (256 when the table is not odd-symmetric) give the low and high bytes of 64 values.
Nibbles: a 16-bit lane holds four codes; one word permute for each. Scales of a row are decoded once into a small buffer
and spread over their lanes. Intel, "Architecture Instruction Set Extensions": VPERMI2B, VPERMW, VDPBF16PS; the last
flushes denormal operands and results, so tables with denormal bf16 values do not fit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernels.levers.matvec import MatVec
from kernels.levers.sketches.avx512_parts import byte_table, finest_block, group_of, scale_vector, scales
from kernels.levers.sketches.method import HINTS, PREFETCH, Code, Knob, bf16_bits, fill, literals
from kernels.values.machine import Machine


@dataclass(frozen=True, slots=True)
class Avx512Bf16:
    name: str = "avx512_bf16"
    guard: str = "defined(__AVX512BF16__) && defined(__AVX512VBMI__) && defined(__AVX512BW__)"
    needs: tuple[str, ...] = ("avx512_bf16", "avx512vbmi", "avx512bw", "avx512vl", "avx512dq")
    reason: str = "codes become bf16 by byte permutes, 32 products an instruction"
    keeps_nan: bool = True

    def unfit(self, found: MatVec) -> str:
        if found.weights.kind in ("f32", "f64"):
            return f"{found.weights.kind} weights are not bf16"
        if any(bf16_bits(t) is None or not np.isfinite(t[0]) for t in found.weights.tables):
            return "a weight is not exactly a normal bf16"
        return self._unfit_scale(found)

    @staticmethod
    def _unfit_scale(found: MatVec) -> str:
        scale = found.scale
        if scale is None:
            return ""
        if scale.block > group_of(found) or scale.block < finest_block(found):
            return f"blocks of {scale.block}"
        if scale.table is not None and bf16_bits(scale.table) is None:
            return "a scale is not exactly a normal bf16"
        return ""

    def variants(self, found: MatVec, machine: Machine) -> Sequence[dict[str, int]]:
        return ({"terms": 1}, {"terms": 3})

    def render(self, found: MatVec, number: int, nest: int, params: dict[str, int]) -> Code:
        terms = f"KW_TUNE_TERMS_{nest}"
        nibble = found.weights.kind == "nibble"  # decoding leaves the hardware prefetcher behind
        knobs = (
            Knob("ACCUMULATORS", 2, (1, 2, 4)),
            Knob("PREFETCH", 4096 if nibble else 0, PREFETCH),
            Knob("HINT", 2 if nibble else 3, HINTS),
            Knob("TERMS", params["terms"], (1, 2, 3)),
        )
        parts = [_tables(found, number), _prepare(found, number, terms), _dot(found, number, nest, terms)]
        shared = f"bf16 {found.weights.kind in ('nibble', 'bf16') and found.weights.kind} {found.vector}"
        return Code("".join(parts), "uint16_t", 128 if nibble else 64, terms, True, knobs, shared)


def _tables(found: MatVec, n: int) -> str:
    weights, text = found.weights, ""
    if weights.kind == "byte":
        text += byte_table(str(n), weights.tables[0])
    for i, table in enumerate(weights.tables if weights.kind == "nibble" else ()):
        bits = bf16_bits(table)
        if bits is None:
            raise ValueError("not bf16")
        text += (
            f"/* bf16 values of the {'odd' if i else 'even'} columns, twice: bit 4 of an index does not matter. */\n"
            f"static const _Alignas(64) uint16_t kw_nibble{i}_{n}[32] = {{\n"
            f"    {literals(np.concatenate([bits, bits]))}\n}};\n\n"
        )
    if found.scale is not None and found.scale.table is not None:
        text += byte_table(f"scale_{n}", found.scale.table)
    return text


def _prepare(found: MatVec, n: int, terms: str) -> str:
    stores, constants = _stores(found, n)
    if found.vector.kind == "f32":
        source, load = "float", "_mm512_maskz_loadu_ps(mask, x + at + 16 * i)"
    else:
        source = "kw_bf16"
        load = "(__m512)_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, x + at + 16 * i)), 16)"
    after = _interleave(n, terms) if found.weights.kind == "nibble" else ""
    return constants + fill("prepare_bf16.c.in", n=n, source=source, load=load, terms=terms, store=stores, after=after)


def _stores(found: MatVec, n: int) -> tuple[str, str]:
    pad = " " * 12
    if found.weights.kind == "byte":
        lines = (
            "_mm512_store_si512(to, _mm512_shuffle_i32x4(b[0], b[1], 0x88));",
            "_mm512_store_si512(to + 32, _mm512_shuffle_i32x4(b[0], b[1], 0xdd));",
        )
        return "\n".join(pad + x for x in lines), ""
    plain = "\n".join(pad + x for x in ("_mm512_store_si512(to, b[0]);", "_mm512_store_si512(to + 32, b[1]);"))
    if found.weights.kind == "bf16":
        return plain, ""
    picks = [4 * (k % 16) + k // 16 for k in range(32)]
    return plain, (f"static const _Alignas(64) uint16_t kw_pick_{n}[32] = {{\n    {literals(picks)}\n}};\n\n")


def _interleave(n: int, terms: str) -> str:
    """Each 128 columns as four vectors: columns 0, 4, 8, ..., then 1, 5, 9, ..."""
    return f"""
    const __m512i first = *(const __m512i *)kw_pick_{n};
    const __m512i second = _mm512_add_epi16(first, _mm512_set1_epi16(2));
    for (int64_t at = 0; at < {terms} * padded; at += 128) {{
        __m512i *v = (__m512i *)(out + at);
        const __m512i a = _mm512_permutex2var_epi16(v[0], first, v[1]);
        const __m512i b = _mm512_permutex2var_epi16(v[2], first, v[3]);
        const __m512i c = _mm512_permutex2var_epi16(v[0], second, v[1]);
        const __m512i d = _mm512_permutex2var_epi16(v[2], second, v[3]);
        v[0] = _mm512_shuffle_i64x2(a, b, 0x44);
        v[1] = _mm512_shuffle_i64x2(a, b, 0xee);
        v[2] = _mm512_shuffle_i64x2(c, d, 0x44);
        v[3] = _mm512_shuffle_i64x2(c, d, 0xee);
    }}"""


def _dot(found: MatVec, n: int, nest: int, terms: str) -> str:
    kind = found.weights.kind
    words = kind == "bf16"
    setup, parameter = scales(found, n, nest)
    return fill(
        "dot_bf16.c.in", n=n, terms=terms, rows=f"KW_TUNE_ROWS_{nest}", accumulators=f"KW_TUNE_ACCUMULATORS_{nest}",
        prefetch=f"KW_TUNE_PREFETCH_{nest}", hint=f"KW_TUNE_HINT_{nest}", group=group_of(found),
        weight="uint16_t" if words else "uint8_t", per_byte=" / 2" if kind == "nibble" else "",
        round=" + 1" if kind == "nibble" else "", lanes=32 if words else 64, lane_bits=16 if words else 8,
        decode=_decode(found, n), products=_products(found), accumulate=_accumulate(found, n, rest=False),
        accumulate_rest=_accumulate(found, n, rest=True), scale_setup=setup, scale_parameter=parameter,
    )  # fmt: skip


def _accumulate(found: MatVec, n: int, rest: bool) -> str:
    if found.scale is None:
        return f"sum[r][a] = kw_step_{n}(sum[r][a], codes, x + here, padded);"
    step = f"kw_step_{n}(_mm512_setzero_ps(), codes, x + here, padded)"
    return (
        f"const __m512 factor = {scale_vector(found, found.scale, n, rest)};\n"
        f"                sum[r][a] = _mm512_fmadd_ps({step}, factor, sum[r][a]);"
    )


def _decode(found: MatVec, n: int) -> str:
    match found.weights.kind:
        case "byte":
            return (
                f"    __m512i low, high;\n    kw_decode_{n}(codes, &low, &high);\n"
                "    const __m512i d0 = _mm512_unpacklo_epi8(low, high), d1 = _mm512_unpackhi_epi8(low, high);"
            )
        case "nibble":
            return "\n".join(_nibble_line(found, n, place) for place in range(4))
        case _:
            return "    const __m512i d0 = codes;"


def _nibble_line(found: MatVec, n: int, place: int) -> str:
    column = place if found.weights.even_is_low else place ^ 1
    shifted = f"_mm512_srli_epi16(codes, {4 * place})" if place else "codes"
    return (
        f"    const __m512i d{column} = _mm512_permutexvar_epi16({shifted}, "
        f"*(const __m512i *)kw_nibble{column % 2}_{n});"
    )


def _products(found: MatVec) -> str:
    return "\n".join(
        f"        sum = _mm512_dpbf16_ps(sum, (__m512bh)d{i}, (__m512bh)_mm512_load_si512(v + {32 * i}));"
        for i in range(group_of(found) // 32)
    )
