"""One step of a dot product in OpenCL C: so many weights decoded, times as many elements of the vector, added up."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kernels.levers.abstract import Unsupported
from kernels.levers.matvec import MatVec
from kernels.levers.operands import Scale
from kernels.levers.sketches.codes import MiniFloat, float_literals, integer_kind, mini_float, power_of_two

WIDTHS: Final = (4, 8, 16)
NIBBLES: Final = 16  # columns of a step of two codes a byte
_SUMS: Final = {4: "0123", 8: "01234567", 16: "0123456789abcdef"}


@dataclass(frozen=True, slots=True)
class Step:
    """functions: `kw_step_<n>(sum, weights, vector, scales, column)` and `kw_total_<n>(sum)`, with the types they need.

    columns: C text of how many columns a step takes. widths: values of its knob, none when the width is fixed. weight,
    vector, scale: element types of the three arrays, scale "" without one.
    """

    functions: str
    columns: str
    widths: tuple[int, ...]
    weight: str
    vector: str
    scale: str


def step_of(found: MatVec, n: int, spaces: tuple[str, str]) -> Step:
    """spaces: qualifiers of weights and vector. Raises: Unsupported."""
    if found.weights.kind == "f64" or found.vector.kind == "f64" or found.factors:
        raise Unsupported("doubles, or scalars that multiply every product")
    if found.scale is not None and found.scale.block % NIBBLES:
        raise Unsupported("scales of short blocks")
    nibble = found.weights.kind == "nibble"
    widths = () if nibble else tuple(w for w in WIDTHS if found.scale is None or found.scale.block % w == 0)
    columns = str(NIBBLES) if nibble else f"KW_TUNE_WIDTH_{n}"
    weight = {"f32": "float", "bf16": "ushort"}.get(found.weights.kind, "uchar")
    vector = "float" if found.vector.kind == "f32" else "ushort"
    scale = "" if found.scale is None else {"byte": "uchar", "f32": "float", "bf16": "ushort"}[_kind(found.scale)]
    head = f"{spaces[0]} const {weight} *w, {spaces[1]} const {vector} *x"
    head += f", __global const {scale} *s" if scale else ""
    text = _scale(found.scale, n) + (_nibbles(found, n, head) if nibble else _free(found, n, head, widths))
    return Step(text, columns, widths, weight, vector, scale)


def _kind(scale: Scale) -> str:
    if scale.kind == "f64":
        raise Unsupported("scales in doubles")
    return scale.kind


def _free(found: MatVec, n: int, head: str, widths: tuple[int, ...]) -> str:
    """Functions for whatever width the knob has."""
    text = ""
    for i, width in enumerate(widths):
        body = "\n".join(_of_width(found, n, head, width))
        text += f"#{'elif' if i else 'if'} KW_TUNE_WIDTH_{n} == {width}\n{body}\n"
    return f"{text}#endif\n"


def _of_width(found: MatVec, n: int, head: str, width: int) -> Iterator[str]:
    values = f"vload{width}(0, w + column)"
    yield f"typedef float{width} kw_f_{n};"
    yield _total(n, width)
    yield f"inline kw_f_{n} kw_step_{n}(kw_f_{n} sum, {head}, int column) {{"
    yield from _decoded(found, values, width)
    factor = _scaled(found.scale, n)
    yield f"    return sum + values * {_vector(found, f'vload{width}(0, x + column)', width)}{factor};"
    yield "}"


def _decoded(found: MatVec, loaded: str, width: int) -> Iterator[str]:
    """Statements that leave the weights in `values`."""
    if found.weights.kind == "f32":
        yield f"    const float{width} values = {loaded};"
    elif found.weights.kind == "bf16":
        yield f"    const float{width} values = as_float{width}(convert_uint{width}({loaded}) << 16);"
    else:
        yield from _bytes(found.weights.tables[0], loaded, width)


def _bytes(table: NDArray[np.float64], loaded: str, width: int) -> Iterator[str]:
    kind = integer_kind(table)
    small = mini_float(table)
    if kind:
        cast = f"as_char{width}({loaded})" if kind == "int8_t" else loaded
        yield f"    const float{width} values = convert_float{width}({cast});"
    elif small is not None:
        yield f"    const uint{width} codes = convert_uint{width}({loaded});"
        yield f"    const float{width} values = {_mini('codes', small, width)};"
    else:
        raise Unsupported("a table that is neither integers nor a small float")


def _mini(codes: str, small: MiniFloat, width: int) -> str:
    """A small float of 8 bits moved to the places of f32; the subnormals come out right by the multiplication."""
    lanes = "" if width == 1 else str(width)
    size = f"as_float{lanes}(({codes} & 0x7fu) << {23 - small.mantissa}) * {power_of_two(127 - small.bias)}"
    return f"as_float{lanes}(as_uint{lanes}({size}) | ({codes} & 0x80u) << 24)"


def _nibbles(found: MatVec, n: int, head: str) -> str:
    """16 columns of 8 bytes; even and odd columns apart, as their codes lie."""
    tables = found.weights.tables
    small = _mini_of_nibble(tables[0])
    if small is None or not np.array_equal(tables[0], tables[1]):
        raise Unsupported("codes of four bits that are no small float")
    low, high = ("even", "odd") if found.weights.even_is_low else ("odd", "even")
    lines = [
        f"typedef float8 kw_f_{n};", _total(n, 8),
        f"inline kw_f_{n} kw_step_{n}(kw_f_{n} sum, {head}, int column) {{",
        "    const uint8 codes = convert_uint8(vload8(0, w + column / 2));",
        f"    const float16 v = {_vector(found, 'vload16(0, x + column)', 16)};",
        f"    const float8 {low} = {_mini('(codes << 4)', small, 8)};",
        f"    const float8 {high} = {_mini('(codes & 0xf0u)', small, 8)};",
        f"    return sum + (even * v.even + odd * v.odd){_scaled(found.scale, n)};",
        "}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _mini_of_nibble(table: NDArray[np.float64]) -> MiniFloat | None:
    """The small float of 8 bits whose upper four bits are these codes."""
    for mantissa in range(4, 7):
        for bias in range(1, 1 << (7 - mantissa)):
            codes = np.arange(16) << 4
            exponent, fraction = (codes & 127) >> mantissa, codes & ((1 << mantissa) - 1)
            size = np.where(exponent == 0, fraction * 2.0 ** (1 - bias - mantissa), 0.0)
            normal = (1 + fraction / 2.0**mantissa) * 2.0 ** (exponent - float(bias))
            size = np.where(exponent == 0, size, normal)
            if np.array_equal(table, np.where(codes > 127, -size, size)):
                return MiniFloat(mantissa, bias)
    return None


def _vector(found: MatVec, loaded: str, width: int) -> str:
    return loaded if found.vector.kind == "f32" else f"as_float{width}(convert_uint{width}({loaded}) << 16)"


def _scaled(scale: Scale | None, n: int) -> str:
    return "" if scale is None else f" * kw_scale_{n}(s[column / {scale.block}])"


def _scale(scale: Scale | None, n: int) -> str:
    """The function that decodes a scale."""
    if scale is None:
        return ""
    if scale.kind != "byte" or scale.table is None:
        kind, value = ("float", "code") if scale.kind == "f32" else ("ushort", "as_float((uint)code << 16)")
        return f"inline float kw_scale_{n}({kind} code) {{ return {value}; }}\n"
    small = mini_float(scale.table)
    if small is not None:
        return f"inline float kw_scale_{n}(uint code) {{ return {_mini('code', small, 1)}; }}\n"
    if not np.isfinite(scale.table).all():
        raise Unsupported("scales that are no numbers")
    table = f"__constant float kw_scales_{n}[256] = {{\n    {float_literals(scale.table)}\n}};\n"
    return f"{table}inline float kw_scale_{n}(uchar code) {{ return kw_scales_{n}[code]; }}\n"


def _total(n: int, width: int) -> str:
    sums = " + ".join(f"v.s{digit}" for digit in _SUMS[width])
    return f"inline float kw_total_{n}(kw_f_{n} v) {{ return {sums}; }}"
