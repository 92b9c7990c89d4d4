"""C functions that turn `width` stored weights into a vector of floats, by what the table is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernels.levers.matvec import MatVec
from kernels.levers.sketches.codes import as_small_integers, float_literals, integer_kind, mini_float, power_of_two
from kernels.levers.sketches.method import literals


@dataclass(frozen=True, slots=True)
class Decoder:
    """functions: `kw_load_<n>`, or for nibbles `kw_even_<n>` and `kw_odd_<n>`; width: C text of the number of lanes.

    vector_factor: what the vector has to be multiplied with beforehand, sum_factor: the sum afterwards; "" for nothing.
    picks: not empty for nibbles that come as `kw_step_<n>(sum, codes, vector, scales)`, one step for as many columns as
    there are picks; the vector's element k is then column picks[k] of the step. setup: statements before the steps.
    """

    types: str
    functions: str
    width: str
    vector_factor: str = ""
    sum_factor: str = ""
    picks: tuple[int, ...] = ()
    setup: str = ""


def choose(found: MatVec, n: int, width: str) -> Decoder:
    """The decoder that fits these weights; width: the knob's name where the width is free."""
    match found.weights.kind:
        case "f32":
            return Decoder(types(n, width), load(n, "float", f"return *(const kw_f_{n} *)w;"), width)
        case "f64":
            return Decoder(types(n, width, "double"), load(n, "double", f"return *(const kw_f_{n} *)w;"), width)
        case "bf16":
            extra = f"typedef uint16_t kw_h_{n} __attribute__((vector_size(2 * {width}), aligned(2), may_alias));\n"
            line = f"return (kw_f_{n})(__builtin_convertvector(*(const kw_h_{n} *)w, kw_u_{n}) << 16);"
            return Decoder(types(n, width) + extra, load(n, "uint16_t", line), width)
        case "nibble":
            return _nibbles(found, n)
        case _:
            # a scale covers whole vectors of 16
            return _bytes(found.weights.tables[0], n, "16" if found.scale else width)


def types(n: int, width: str, element: str = "float") -> str:
    """Vectors of floats or doubles, 32-bit and 8-bit integers of the same number of lanes; loads need no alignment."""
    size = 8 if element == "double" else 4
    lines = [
        f"typedef {element} kw_f_{n} __attribute__((vector_size({size} * {width}), aligned({size}), may_alias));",
        f"typedef uint32_t kw_u_{n} __attribute__((vector_size(4 * {width})));",
        f"typedef int32_t kw_i_{n} __attribute__((vector_size(4 * {width})));",
        f"typedef int16_t kw_s_{n} __attribute__((vector_size(2 * {width})));",
        f"typedef int8_t kw_c_{n} __attribute__((vector_size({width}), aligned(1), may_alias));",
        f"typedef uint8_t kw_b_{n} __attribute__((vector_size({width}), aligned(1), may_alias));",
    ]
    return "\n".join(lines) + "\n"


def table(name: str, values: NDArray[np.float64]) -> str:
    """A table of floats."""
    return f"static const _Alignas(64) float {name}[{len(values)}] = {{\n    {float_literals(values)}\n}};\n\n"


def load(n: int, weight: str, body: str, name: str = "load") -> str:
    return (
        f"static inline __attribute__((always_inline)) kw_f_{n} kw_{name}_{n}(const {weight} *w) {{\n    {body}\n}}\n\n"
    )


def _bytes(values: NDArray[np.float64], n: int, width: str) -> Decoder:
    kind = integer_kind(values)
    if kind:
        vector = f"kw_c_{n}" if kind == "int8_t" else f"kw_b_{n}"
        body = (
            f"const kw_s_{n} wide = __builtin_convertvector(*(const {vector} *)w, kw_s_{n});\n"
            f"    return __builtin_convertvector(__builtin_convertvector(wide, kw_i_{n}), kw_f_{n});"
        )
        return Decoder(types(n, width), load(n, "uint8_t", body), width)
    small = mini_float(values)
    if small is not None:
        return Decoder(types(n, width), load(n, "uint8_t", _shifted(n, small.mantissa, small.bias)), width)
    return Decoder(types(n, width), table(f"kw_table_{n}", values) + load(n, "uint8_t", _looked_up(n, width)), width)


def _shifted(n: int, mantissa: int, bias: int) -> str:
    return (
        f"const kw_s_{n} wide = __builtin_convertvector(*(const kw_b_{n} *)w, kw_s_{n});\n"
        f"    const kw_u_{n} c = __builtin_convertvector(wide, kw_u_{n});\n"
        f"    const kw_f_{n} size = (kw_f_{n})((c & 0x7f) << {23 - mantissa}) * {power_of_two(127 - bias)};\n"
        f"    return (kw_f_{n})((kw_u_{n})size | (c & 0x80) << 24);"
    )


def _looked_up(n: int, width: str) -> str:
    return (
        f"kw_f_{n} found;\n#pragma GCC unroll 16\n"
        f"    for (int k = 0; k < {width}; k++) found[k] = kw_table_{n}[w[k]];\n    return found;"
    )


def _nibbles(found: MatVec, n: int) -> Decoder:
    weights = found.weights
    whole = as_small_integers(np.concatenate(weights.tables))
    low, high = f"*(const kw_b_{n} *)w & 15", f"*(const kw_b_{n} *)w >> 4"
    picks = (low, high) if weights.even_is_low else (high, low)
    text = ""
    for i, (name, pick) in enumerate(zip(("even", "odd"), picks, strict=True)):
        if whole is not None:
            values = literals(whole[0][16 * i : 16 * i + 16])
            body = (
                f"const kw_b_{n} values = (kw_b_{n})(kw_c_{n}){{{values}}};\n"
                f"    const kw_c_{n} found = (kw_c_{n})__builtin_shuffle(values, {pick});\n"
                f"    const kw_s_{n} wide = __builtin_convertvector(found, kw_s_{n});\n"
                f"    return __builtin_convertvector(__builtin_convertvector(wide, kw_i_{n}), kw_f_{n});"
            )
        else:
            text += table(f"kw_{name}_table_{n}", weights.tables[i])
            body = (
                f"const kw_b_{n} codes = {pick};\n    kw_f_{n} found;\n#pragma GCC unroll 16\n"
                f"    for (int k = 0; k < 16; k++) found[k] = kw_{name}_table_{n}[codes[k]];\n    return found;"
            )
        text += load(n, "uint8_t", body, name)
    return Decoder(types(n, "16"), text, "16", power_of_two(-whole[1]) if whole is not None else "")
