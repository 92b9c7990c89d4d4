"""Trusted sources that only read every weight argument of a kernel, in several styles; the fastest is the peak.

Blocks stride over a weight; each thread xors vectors of 16 bytes and stores the result, so that no load can be left
out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import jinja2

from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec

LANGUAGE, MAIN = "cuda", "kernel.cu"
MULTIPROCESSORS: Final = 132
"""Of an H100 SXM, for sources that are built where no GPU is."""


@dataclass(frozen=True, slots=True)
class Style:
    """block: threads; blocks: for each multiprocessor; loads: vectors that a thread has under way; hint: how they are
    cached."""

    block: int
    blocks: int
    loads: int = 4
    hint: str = "__ldg"


STYLES: Final[Mapping[str, Style]] = {
    "wide": Style(256, 8),
    "wide_eight_loads": Style(256, 4, loads=8),
    "small_blocks": Style(128, 16),
    "large_blocks": Style(1024, 2),
    "streaming": Style(256, 8, hint="__ldcs"),
    "streaming_eight_loads": Style(512, 4, loads=8, hint="__ldcs"),
}

_TEMPLATE: Final = """\
#include "kernelwright.h"

static __device__ __forceinline__ uint4 both(uint4 a, uint4 b) {
    return make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w);
}

static __device__ uint4 read_all(const void *weight, size_t bytes, size_t first, size_t threads) {
    const uint4 *from = (const uint4 *)weight;
    size_t count = bytes / 16, i = first;
    uint4 total = make_uint4(0, 0, 0, 0);
    for (; i + {{ style.loads - 1 }} * threads < count; i += {{ style.loads }} * threads) {
{%- for k in range(style.loads) %}
        uint4 v{{ k }} = {{ style.hint }}(from + i + {{ k }} * threads);
{%- endfor %}
{%- for k in range(style.loads) %}
        total = both(total, v{{ k }});
{%- endfor %}
    }
    for (; i < count; i += threads) total = both(total, {{ style.hint }}(from + i));
    return total;
}

{{ prototype }} {
    size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x, threads = (size_t)gridDim.x * blockDim.x;
    uint4 total = make_uint4(0, 0, 0, 0);
{%- for name, nbytes in weights %}
    total = both(total, read_all({{ name }}, {{ nbytes }}, first, threads));
{%- endfor %}
    sink[first] = total;
}

KW_SCRATCH(sink, {{ threads * 16 }});
KW_LAUNCH({{ entry }}, {{ threads }}, {{ style.block }});
"""


def prototype(spec: KernelSpec, *more: str) -> str:
    """The head of a function that takes the contract's arguments, and others behind them."""
    return f'extern "C" __global__ void {spec.entry}({", ".join([*(a.c_parameter for a in spec.arguments), *more])})'


def probes(spec: KernelSpec, multiprocessors: int) -> dict[str, Candidate]:
    """One candidate a style; a kernel without array weights has none. multiprocessors: 0 where no GPU is."""
    if not any(a.shape for a in spec.weights):
        return {}
    count = multiprocessors or MULTIPROCESSORS
    return {name: _made(spec, _render(spec, style, count)) for name, style in STYLES.items()}


def empty(spec: KernelSpec) -> Candidate:
    """One thread that does nothing: what is left of its time is the round trip with a launch."""
    return _made(spec, f'#include "kernelwright.h"\n\n{prototype(spec)} {{\n}}\n\nKW_LAUNCH({spec.entry}, 1, 1);\n')


def _made(spec: KernelSpec, source: str) -> Candidate:
    return Candidate(spec.name, {MAIN: source}, MAIN, LANGUAGE)


def _render(spec: KernelSpec, style: Style, multiprocessors: int) -> str:
    template = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False).from_string(_TEMPLATE)
    return template.render(
        style=style, weights=[(a.name, a.nbytes) for a in spec.weights if a.shape], entry=spec.entry,
        threads=multiprocessors * style.blocks * style.block, prototype=prototype(spec, "uint4 *sink"),
    )  # fmt: skip
