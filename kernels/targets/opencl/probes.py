"""Trusted sources that only read every weight argument of a kernel, in several styles; the fastest is the peak.

Each work-item xors vectors of 64 bytes of its own piece and stores the result, so that no load can be left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import jinja2

from kernels.values.candidate import Candidate
from kernels.values.kernel import Argument, KernelSpec

LANGUAGE, MAIN = "opencl", "kernel.cl"


@dataclass(frozen=True, slots=True)
class Style:
    """piece_bytes: what a work-item reads, 0 for an equal share of every weight for each CPU. streams: places read at
    once within a piece. group: work-items in a group."""

    piece_bytes: int
    streams: int = 1
    group: int = 1


STYLES: Final[Mapping[str, Style]] = {
    "shares": Style(0),
    "shares_four_streams": Style(0, streams=4),
    "pieces_16k": Style(16 << 10),
    "pieces_64k": Style(64 << 10),
    "pieces_64k_four_streams": Style(64 << 10, streams=4),
    "pieces_256k": Style(256 << 10),
    "pieces_256k_two_streams": Style(256 << 10, streams=2),
}

_TEMPLATE: Final = """\
#include "kernelwright.h"

inline ulong8 read_piece(__global const uchar *from, long size) {
    ulong8 {% for k in range(streams * 4) %}a{{ k }} = 0{{ ", " if not loop.last }}{% endfor %};
    long part = size / {{ streams * 256 }} * 256;
    for (long i = 0; i < part; i += 256) {
{%- for s in range(streams) %}{% for k in range(4) %}
        a{{ s * 4 + k }} ^= vload8(0, (__global const ulong *)(from + {{ s }} * part + i + {{ k * 64 }}));
{%- endfor %}{% endfor %}
    }
    for (long rest = part * {{ streams }}; rest + 64 <= size; rest += 64)
        a0 ^= vload8(0, (__global const ulong *)(from + rest));
    return {% for k in range(streams * 4) %}a{{ k }}{{ " ^ " if not loop.last }}{% endfor %};
}

{{ prototype }} {
    long item = get_global_id(0);
    ulong8 total = 0;
{%- for w in weights %}
    if (item >= {{ w.first }} && item < {{ w.first + w.pieces }}) {
        long at = (item - {{ w.first }}) * {{ w.piece }}, left = {{ w.nbytes }} - at;
        total ^= read_piece((__global const uchar *){{ w.name }} + at, left < {{ w.piece }} ? left : {{ w.piece }});
    }
{%- endfor %}
    vstore8(total, item, sink);
}

KW_SCRATCH(sink, {{ items * 64 }});
KW_LAUNCH({{ entry }}, {{ items }}, 1);
"""


@dataclass(frozen=True, slots=True)
class _Weight:
    """first: number of its first piece."""

    name: str
    nbytes: int
    piece: int
    pieces: int
    first: int


def prototype(spec: KernelSpec, *more: str) -> str:
    """The head of a function that takes the contract's arguments, and others behind them."""
    return f"__kernel void {spec.entry}({', '.join([*map(parameter, spec.arguments), *more])})"


def parameter(argument: Argument) -> str:
    return f"{'__global ' if argument.shape else ''}{argument.c_parameter}"


def probes(spec: KernelSpec, threads: int) -> dict[str, Candidate]:
    """One candidate a style; a kernel without array weights has none."""
    if not any(a.shape for a in spec.weights):
        return {}
    return {name: _made(spec, _render(spec, style, threads)) for name, style in STYLES.items()}


def empty(spec: KernelSpec) -> Candidate:
    """One work-item that does nothing: what is left of its time is the round trip with a launch."""
    return _made(spec, f'#include "kernelwright.h"\n\n{prototype(spec)} {{\n}}\n\nKW_LAUNCH({spec.entry}, 1, 1);\n')


def _made(spec: KernelSpec, source: str) -> Candidate:
    return Candidate(spec.name, {MAIN: source}, MAIN, LANGUAGE)


def _render(spec: KernelSpec, style: Style, threads: int) -> str:
    weights: list[_Weight] = []
    first = 0
    for argument in (a for a in spec.weights if a.shape):
        piece = style.piece_bytes or -(-argument.nbytes // threads // 64) * 64
        pieces = -(-argument.nbytes // piece)
        weights.append(_Weight(argument.name, argument.nbytes, piece, pieces, first))
        first += pieces
    template = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False).from_string(_TEMPLATE)
    return template.render(
        weights=weights, items=first, streams=style.streams, entry=spec.entry,
        prototype=prototype(spec, "__global ulong *sink"),
    )  # fmt: skip
