"""AVX2 with F16C: small floats become binary16 by a shift, then vcvtph2ps; nibbles become bf16 by byte shuffles.

A small float with at most five exponent bits is, shifted, a binary16 of the same exponent field: its value differs by a
power of two, subnormals included, which is put back into the sum. Intel, "64 and IA-32 Architectures Software
Developer's Manual", volume 2: VCVTPH2PS, VPSHUFB.

Nibbles: two shuffles give low and high bytes of 32 bf16 values, unpacking joins them, and the two halves of a 32-bit
lane become floats by a shift and a mask. A lane's sums stay within one block, so scales multiply sums, not weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernels.levers.matvec import MatVec
from kernels.levers.sketches import decoders
from kernels.levers.sketches.avx2_nibbles import nibbles
from kernels.levers.sketches.codes import integer_kind, mini_float, power_of_two
from kernels.levers.sketches.method import Code, bf16_bits
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
                fits = bool(integer_kind(found.weights.tables[0])) or shift_to_half(found.weights.tables[0]) is not None
                return "" if fits else "the table is neither an integer nor a small float"
            case "nibble":
                fits = all(bf16_bits(t) is not None and np.isfinite(t).all() for t in found.weights.tables)
                return "" if fits else "a weight is not exactly a normal bf16"
        return "nothing to decode"

    def variants(self, found: MatVec, machine: Machine) -> Sequence[dict[str, int]]:
        none: dict[str, int] = {}
        return (none,)

    def render(self, found: MatVec, number: int, nest: int, params: dict[str, int]) -> Code:
        kind = found.weights.kind
        if kind == "nibble":
            decoder = nibbles(found, number, f"KW_TUNE_ROWS_{nest}", shift_to_half)
        else:
            decoder = _bytes(found.weights.tables[0], number)
        return render(found, number, nest, decoder, 8)


def shift_to_half(values: NDArray[np.float64]) -> tuple[int, int] | None:
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
    found = shift_to_half(values)
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
