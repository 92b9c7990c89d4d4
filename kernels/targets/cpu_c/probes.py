"""Trusted sources that only read every weight argument of a kernel, in several styles; the fastest is the peak.

Each thread xors 64-byte vectors into accumulators that are stored once, so that no load can be left out.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

import jinja2

from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.machine import Machine

PREFETCH_T0: Final = 3


@dataclass(frozen=True, slots=True)
class Style:
    """streams: places read at once within a thread's share. prefetch: bytes ahead, 0 for none. hint: locality of the
    prefetch, 0 to 3. chunk_bytes: size of the pieces that threads take as they get free. interleave_bytes: size of the
    pieces that threads take by turns. Both 0: each thread has one contiguous share. intrinsics: AVX-512 loads instead
    of vector extensions."""

    streams: int
    prefetch: int = 0
    hint: int = PREFETCH_T0
    chunk_bytes: int = 0
    interleave_bytes: int = 0
    intrinsics: bool = False


STYLES: Final[Mapping[str, Style]] = {
    "one_stream": Style(1),
    "four_streams": Style(4),
    "eight_streams": Style(8),
    "prefetch_t0_4k": Style(1, prefetch=4096),
    "prefetch_t1_4k": Style(1, prefetch=4096, hint=2),
    "chunks_256k": Style(1, chunk_bytes=256 << 10),
    "interleaved_64k": Style(4, interleave_bytes=64 << 10),
}
AVX512_STYLES: Final[Mapping[str, Style]] = {"avx512_four_streams": Style(4, intrinsics=True)}

_TEMPLATE: Final = """\
#include "kernelwright.h"
{% if intrinsics %}#include <immintrin.h>
{% endif %}
typedef uint64_t line __attribute__((vector_size(64), aligned(8), may_alias));
struct job { const uint8_t *base[{{ weights|length }}]; };
static const int64_t bytes[] = { {{ weights|map(attribute="nbytes")|join(", ") }} };
static line sink[256];

static inline line read_span(const uint8_t *from, int64_t size) {
    line {% for k in range(streams * 4) %}a{{ k }} = {0}{{ ", " if not loop.last }}{% endfor %};
    int64_t part = size / ({{ streams }} * 256) * 256, i = 0;
    for (; i < part; i += 256) {
{%- for s in range(streams) %}
{%- if prefetch %}
{%- for k in range(4) %}
        __builtin_prefetch(from + {{ s }} * part + i + {{ prefetch + k * 64 }}, 0, {{ hint }});
{%- endfor %}
{%- endif %}
{%- for k in range(4) %}
{%- if intrinsics %}
        a{{ s * 4 + k }} ^= (line)_mm512_loadu_si512(from + {{ s }} * part + i + {{ k * 64 }});
{%- else %}
        a{{ s * 4 + k }} ^= *(const line *)(from + {{ s }} * part + i + {{ k * 64 }});
{%- endif %}
{%- endfor %}
{%- endfor %}
    }
    for (int64_t rest = part * {{ streams }}; rest + 64 <= size; rest += 64) a0 ^= *(const line *)(from + rest);
    return {% for k in range(streams * 4) %}a{{ k }}{{ " ^ " if not loop.last }}{% endfor %};
}

static void body(void *context, int64_t begin, int64_t end, int thread) {
    const struct job *job = context;
    line total = {0};
{%- if chunk_bytes %}
    int64_t first = 0;
    for (int w = 0; w < {{ weights|length }}; w++) {
        int64_t chunks = (bytes[w] + {{ chunk_bytes }} - 1) / {{ chunk_bytes }};
        for (int64_t c = begin > first ? begin - first : 0; c < chunks && first + c < end; c++) {
            int64_t at = c * {{ chunk_bytes }}, left = bytes[w] - at;
            total ^= read_span(job->base[w] + at, left < {{ chunk_bytes }} ? left : {{ chunk_bytes }});
        }
        first += chunks;
    }
{%- elif interleave_bytes %}
    for (int64_t t = begin; t < end; t++)
        for (int w = 0; w < {{ weights|length }}; w++)
            for (int64_t at = t * {{ interleave_bytes }}; at < bytes[w]; at += kw_threads() * {{ interleave_bytes }}) {
                int64_t left = bytes[w] - at;
                total ^= read_span(job->base[w] + at, left < {{ interleave_bytes }} ? left : {{ interleave_bytes }});
            }
{%- else %}
    int64_t threads = kw_threads();
    for (int64_t t = begin; t < end; t++)
        for (int w = 0; w < {{ weights|length }}; w++) {
            int64_t from = bytes[w] * t / threads / 64 * 64, to = bytes[w] * (t + 1) / threads / 64 * 64;
            total ^= read_span(job->base[w] + from, (t + 1 == threads ? bytes[w] : to) - from);
        }
{%- endif %}
    sink[thread & 255] ^= total;
}

{{ prototype }} {
    struct job job = { { {% for w in weights %}(const uint8_t *){{ w.name }}{{ ", " if not loop.last }}{% endfor %} } };
{%- for a in unused %}
    (void){{ a.name }};
{%- endfor %}
{%- if chunk_bytes %}
    int64_t chunks = 0;
    for (int w = 0; w < {{ weights|length }}; w++) chunks += (bytes[w] + {{ chunk_bytes }} - 1) / {{ chunk_bytes }};
    kw_parallel_for(chunks, 1, body, &job);
{%- else %}
    kw_parallel_for(kw_threads(), 0, body, &job);
{%- endif %}
}
"""


def probes(spec: KernelSpec, machine: Machine) -> dict[str, Candidate]:
    """One candidate a style; a kernel without array weights has none."""
    if not any(a.shape for a in spec.weights):
        return {}
    styles = {**STYLES, **(AVX512_STYLES if machine.has("avx512f") else {})}
    return {name: Candidate(spec.name, {"kernel.c": _render(spec, style)}) for name, style in styles.items()}


def empty(spec: KernelSpec) -> Candidate:
    """Does nothing: what is left of its time is the round trip."""
    unused = " ".join(f"(void){a.name};" for a in spec.arguments)
    return Candidate(spec.name, {"kernel.c": f'#include "kernelwright.h"\n\n{spec.prototype} {{ {unused} }}\n'})


def _render(spec: KernelSpec, style: Style) -> str:
    weights = [a for a in spec.weights if a.shape]
    unused = [a for a in spec.arguments if a not in weights]
    template = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False).from_string(_TEMPLATE)
    return template.render(weights=weights, unused=unused, prototype=spec.prototype, **asdict(style))
