"""Timelines with round numbers, and a kernel that goes with them: what the tests of the profiler join."""

from pathlib import Path

from kernels.sandbox.spans import Span, Timeline
from kernels.values.candidate import Candidate
from kernels.values.kernel import Argument, KernelSpec, Tolerance

TOTAL = 1000


def span(thread: int, name: str, begin: float, end: float, depth: int = 0) -> Span:
    return Span(thread, name, begin, end, depth)


def two_loops() -> Timeline:
    """Two threads. 0..100 serial; loop 1 until 600, the first thread has 400 of it, the other 490; 600..700 serial,
    marked `prep`; loop 2 until 980, marked `down` inside on both threads, 280 each; 20 serial."""
    return Timeline(
        (
            span(0, "parallel 1", 100, 500),
            span(0, "prep", 600, 700),
            span(0, "parallel 2", 700, 980),
            span(0, "down", 700, 980, 1),
            span(1, "parallel 1", 110, 600),
            span(1, "parallel 2", 700, 980),
            span(1, "down", 700, 980, 1),
        ),
        TOTAL,
    )


SOURCE = """#include "kernelwright.h"
struct part { const float *from; float *to; };
static void one(void *c, int64_t b, int64_t e, int t) { struct part *p = c; p->to[b] = p->from[b]; }
static void two(void *c, int64_t b, int64_t e, int t) {
    const struct part *p = c;
    KW_SPAN_BEGIN(down);
    p->to[b] = p->from[b];
    KW_SPAN_END(down);
}
void f(const float *A, const float *B, float *y) {
    float h[10];
    struct part first = {A, h}, second = {B, h};
    kw_parallel_for(10, 0, one, &first);
    KW_SPAN_BEGIN(prep);
    y[0] = h[0];
    KW_SPAN_END(prep);
    kw_parallel_for(10, 0, two, &second);
}
"""


def spec() -> KernelSpec:
    """A: 4000 bytes, B: 2800 bytes, y: 40 bytes."""
    arguments = (
        Argument("A", "f32", (1000,), "weight"),
        Argument("B", "f32", (700,), "weight"),
        Argument("y", "f32", (10,), "output"),
    )
    return KernelSpec("p", "f", "f", "t", arguments, {"y": Tolerance(1e-4, 1e-4)}, (), ("random",), Path())


def candidate(source: str = SOURCE) -> Candidate:
    return Candidate("f", {"kernel.c": source})
