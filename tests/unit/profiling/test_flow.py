"""Which arguments a parallel loop touches, by syntax, whatever things are called."""

import pytest

from kernels.levers import registry
from kernels.levers.base import Context
from kernels.packs.loader import baseline, find_kernel
from kernels.profiling.flow import flow_of
from kernels.values.machine import Machine

AVX512 = frozenset({"avx2", "fma", "avx512f", "avx512bw", "avx512vbmi", "avx512_bf16"})
HEADER = '#include "kernelwright.h"\n'


def touched(source: str, *arguments: str, entry: str = "f") -> list[tuple[str, list[str], list[str]]]:
    flow = flow_of(HEADER + source, entry, arguments)
    assert flow is not None
    return [(loop.body, sorted(loop.touched.reads), sorted(loop.touched.writes)) for loop in flow.loops]


def test_a_structure_hands_arguments_over_member_by_member() -> None:
    source = """
    struct both { const float *left; const float *right; float *out; int n; };
    static void one(void *c, int64_t b, int64_t e, int t) {
        struct both *s = c;
        for (int64_t i = b; i < e; i++) s->out[i] = s->left[i];
    }
    static void two(void *c, int64_t b, int64_t e, int t) {
        const struct both *s = (const struct both *)c;
        const float *from = s->right + 4;
        for (int64_t i = b; i < e; i++) s->out[i] += from[i];
    }
    void f(const float *a, const float *w, float *y, int n) {
        struct both s = {.left = a, .out = y, .right = w};
        kw_parallel_for(n, 0, one, &s);
        kw_parallel_for(n, 0, two, &s);
    }"""
    assert touched(source, "a", "w", "y", "") == [("one", ["a"], ["y"]), ("two", ["w", "y"], ["y"])]


def test_a_function_called_twice_is_followed_with_what_it_is_given() -> None:
    source = """
    struct c { const float *m; };
    static void body(void *p, int64_t b, int64_t e, int t) {
        struct c *s = p;
        const float *row[4];
        for (int i = 0; i < 4; i++) row[i] = &s->m[b + i];
        float x = row[1][2];
    }
    static void project(const float *weights) { struct c s; s.m = weights; kw_parallel_for(8, 0, body, &s); }
    void f(const float *up, const float *down) { project(up); project(down); }"""
    assert touched(source, "up", "down") == [("body", ["up"], []), ("body", ["down"], [])]


def test_what_stands_between_loops_is_serial_and_goes_by_its_mark() -> None:
    source = """
    static void body(void *p, int64_t b, int64_t e, int t) { float v = ((const float *)p)[b]; }
    void f(const float *a, const float *w, float *y) {
        y[0] = a[0];
        KW_SPAN_BEGIN(prep);
        y[1]++;
        KW_SPAN_END(prep);
        if (a) kw_parallel_for(8, 0, body, (void *)w);
    }"""
    flow = flow_of(HEADER + source, "f", ("a", "w", "y"))
    assert flow is not None
    assert {place: (sorted(t.reads), sorted(t.writes)) for place, t in flow.serial.items()} == {
        ("", 0): (["a"], ["y"]), ("prep", 0): (["y"], ["y"]),
    }  # fmt: skip
    assert [(loop.body, loop.sure, sorted(loop.touched.reads)) for loop in flow.loops] == [("body", False, ["w"])]


def test_macros_and_unknown_functions_read_what_they_are_given() -> None:
    source = """
    #define AT(i) w[i]
    void f(const float *a, const float *w, float *y) { y[0] = AT(1) + _mm_cvtss_f32(_mm_load_ss(a)); }"""
    flow = flow_of(HEADER + source, "f", ("a", "w", "y"))
    assert flow is not None
    assert flow.serial["", 0].reads == {"a", "w"}


def test_an_entry_behind_a_macro_is_found() -> None:
    flow = flow_of("#define NAME f\nvoid NAME(float *a) { a[0] = 1; }", "f", ("a",))
    assert flow is not None
    assert flow.serial["", 0].writes == {"a"}


def test_what_never_ends_or_does_not_parse_is_not_followed() -> None:
    doubling = "".join(f"void g{i}(float *a) {{ g{i - 1}(a); g{i - 1}(a); }}\n" for i in range(1, 30))
    assert flow_of("void g0(float *a) { a[0] = 1; }\n" + doubling, "g29", ("a",)) is None
    assert flow_of("void f(float *a) { if ( }", "f", ("a",)) is None
    assert flow_of("void g(float *a) { }", "f", ("a",)) is None
    assert flow_of("void f(float *a) { a[0] = 1; f(a); }", "f", ("a",)) is not None


@pytest.mark.parametrize("which", [0, 1])
def test_generated_designs_are_followed(which: int) -> None:
    _, spec = find_kernel("gemma_decode/ffn")
    context = Context(spec, Machine("x", "x86_64", AVX512, 2))
    base = baseline(spec)
    sketches = [a for a in registry.applications(base, context) if a.lever == "matvec_portable"]
    made = registry.apply(base, sketches[which], context)
    flow = flow_of(made.source, spec.entry, tuple(a.name if a.shape else "" for a in spec.arguments))
    assert flow is not None
    up, gate, down = ({f"{name}_codes", f"{name}_scales"} for name in ("up", "gate", "down"))
    assert [loop.touched.reads for loop in flow.loops] == ([up, gate, down] if which == 0 else [up | gate, down])
    assert all(loop.sure for loop in flow.loops)
