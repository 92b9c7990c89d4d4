"""Vector extensions of GNU C: no intrinsics, any instruction set.

Bytes that are small floats are decoded by shifting them into the exponent field of binary32 and scaling by a power of
two, which is exact for subnormals as well; integers are converted in steps; everything else goes through the table.
Nibbles use a shuffle of 16 bytes where the table is made of small integers times a power of two.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernels.levers.matvec import MatVec
from kernels.levers.operands import Scale
from kernels.levers.sketches import decoders
from kernels.levers.sketches.method import HINTS, PREFETCH, Code, Knob, fill, literals
from kernels.values.machine import Machine


@dataclass(frozen=True, slots=True)
class Portable:
    name: str = "portable"
    guard: str = "defined(__GNUC__)"
    needs: tuple[str, ...] = ()
    reason: str = "vector extensions decode and multiply many columns at a time, with independent sums"
    keeps_nan: bool = False

    def unfit(self, found: MatVec) -> str:
        if any(not np.isfinite(t[0]) for t in found.weights.tables):
            return "the weight of code 0 is not finite"
        if found.scale is not None and (found.weights.kind not in ("byte", "nibble") or found.scale.block < 16):
            return "scales of short blocks"
        return ""

    def variants(self, found: MatVec, machine: Machine) -> Sequence[dict[str, int]]:
        width = 16 if machine.has("avx512f") else 8 if machine.has("avx2") else 4
        return ({"width": width // 2 if found.weights.kind == "f64" else width},)

    def render(self, found: MatVec, number: int, nest: int, params: dict[str, int]) -> Code:
        decoder = decoders.choose(found, number, f"KW_TUNE_WIDTH_{nest}")
        return render(found, number, nest, decoder, params.get("width", 8))


def render(found: MatVec, number: int, nest: int, decoder: decoders.Decoder, width: int) -> Code:
    """The dot product around a decoder."""
    nibble = found.weights.kind == "nibble"
    knobs = [
        Knob("ACCUMULATORS", 4, (1, 2, 4, 8)), Knob("PREFETCH", 0, PREFETCH), Knob("HINT", 3, HINTS),
    ]  # fmt: skip
    if decoder.width.startswith("KW_TUNE"):
        knobs.append(Knob("WIDTH", width, (2, 4, 8) if found.weights.kind == "f64" else (4, 8, 16)))
    prepared = nibble or found.vector.kind == "bf16"
    functions = (_prepare(found, number, decoder) if prepared else "") + _dot(found, number, nest, decoder)
    shared = f"{element_type(found)} {nibble} {decoder.vector_factor} {found.vector}"
    group = len(decoder.picks) or (32 if nibble else 16)
    return Code(functions, element_type(found), group, "1", prepared, tuple(knobs), shared)


def element_type(found: MatVec) -> str:
    """C type of the products."""
    return "double" if found.weights.kind == "f64" else "float"


def _prepare(found: MatVec, n: int, decoder: decoders.Decoder) -> str:
    value = "x[{0}]" if found.vector.kind == "f32" else "kw_bf16_to_f32(x[{0}])"
    factor = f" * {decoder.vector_factor}" if decoder.vector_factor else ""
    source = "float" if found.vector.kind == "f32" else "kw_bf16"

    def line(to: str, at: str) -> str:
        return f"out[{to}] = {at} < n ? {value.format(at)}{factor} : 0.0f;"

    if decoder.picks:
        size = len(decoder.picks)
        pick = f"static const uint8_t kw_pick_{n}[{size}] = {{\n    {literals(decoder.picks)}\n}};\n\n"
        store, order = line("at + k", f"at + kw_pick_{n}[k]"), ", in the order of decoding"
        return pick + fill("prepare_f32.c.in", n=n, source=source, store=store, half=size, group=size, order=order)
    if found.weights.kind != "nibble":
        store, half, group, order = line("at + k", "at + k"), 16, 16, ""
    else:
        store = line("at + k", "at + 2 * k") + f"\n            {line('at + 16 + k', 'at + 2 * k + 1')}"
        half, group, order = 16, 32, ", even columns before odd ones in each group of 32"
    return fill("prepare_f32.c.in", n=n, source=source, store=store, half=half, group=group, order=order)


def _dot(found: MatVec, n: int, nest: int, decoder: decoders.Decoder) -> str:
    nibble = found.weights.kind == "nibble"
    width, group = decoder.width, str(len(decoder.picks) or 32)
    weight = {"f32": "float", "f64": "double", "bf16": "uint16_t"}.get(found.weights.kind, "uint8_t")
    return fill(
        "dot_vector.c.in", n=n, types=decoder.types, decode=_scale_table(found, n) + decoder.functions, weight=weight,
        rows=f"KW_TUNE_ROWS_{nest}", accumulators=f"KW_TUNE_ACCUMULATORS_{nest}",
        prefetch=f"KW_TUNE_PREFETCH_{nest}", hint=f"KW_TUNE_HINT_{nest}", width=width,
        group=group if nibble else width, per_byte=" / 2" if nibble else "",
        copied=group if nibble else "left", rest_bytes="(left + 1) / 2" if nibble else "left",
        accumulate=_accumulate(found, n, decoder, "x + here"),
        accumulate_rest=_accumulate(found, n, decoder, "rest", rest=True),
        scale_parameter=f" const {scale_type(found)} *const *s," if found.scale else "",
        element=element_type(found), setup=decoder.setup,
        factor=f" * {decoder.sum_factor}" if decoder.sum_factor else "",
    )  # fmt: skip


def _accumulate(found: MatVec, n: int, decoder: decoders.Decoder, x: str, rest: bool = False) -> str:
    """One step; `from` holds the weights. rest: columns beyond n are zeros, their scales must not be read."""
    if decoder.picks:
        scales = f", scale[r] + here / {found.scale.block}" if found.scale else ""
        return f"sum[r][a] = kw_step_{n}(sum[r][a], from, {x}{scales});"
    if found.weights.kind == "nibble":
        value = f"kw_even_{n}(from) * *(const kw_f_{n} *)({x}) + kw_odd_{n}(from) * *(const kw_f_{n} *)({x} + 16)"
    else:
        value = f"kw_load_{n}(from) * *(const kw_f_{n} *)({x})"
    if found.scale is None:
        return f"sum[r][a] += {value};"
    return f"sum[r][a] += ({value}) * {_scale_vector(found, found.scale, n, rest)};"


def _scale_value(scale: Scale, n: int, k: int, rest: bool) -> str:
    """The scale of block k of a step."""
    at = f"here / {scale.block}{f' + {k}' if k else ''}"
    place = f"s[r][here + {k * scale.block} < n ? {at} : 0]" if rest and k else f"s[r][{at}]"
    return {"byte": f"kw_scales_{n}[{place}]", "bf16": f"kw_bf16_to_f32({place})", "f32": place, "f64": place}[
        scale.kind
    ]


def _scale_vector(found: MatVec, scale: Scale, n: int, rest: bool) -> str:
    """The scales of the step's lanes: one for all, or several under masks of ones and zeros."""
    columns = 32 if found.weights.kind == "nibble" else 16
    if scale.block >= columns:
        return _scale_value(scale, n, 0, rest)
    lanes = scale.block * 16 // columns
    masks = [[int(lane // lanes == k) for lane in range(16)] for k in range(columns // scale.block)]
    texts = [f"(kw_f_{n}){{{', '.join(map(str, m))}}} * {_scale_value(scale, n, k, rest)}" for k, m in enumerate(masks)]
    return f"({' + '.join(texts)})"


def scale_type(found: MatVec) -> str:
    kind = found.scale.kind if found.scale else "f32"
    return {"byte": "uint8_t", "f32": "float", "f64": "double", "bf16": "kw_bf16"}[kind]


def _scale_table(found: MatVec, n: int) -> str:
    scale = found.scale
    if scale is None or scale.table is None:
        return ""
    return decoders.table(f"kw_scales_{n}", scale.table)
