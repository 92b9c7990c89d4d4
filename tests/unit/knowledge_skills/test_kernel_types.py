"""Kernel types come from syntax alone, operations and bytes agree with what is counted by hand."""

import re

import pytest

from kernels.packs.loader import baseline, load_pack
from kernels.values.candidate import Candidate
from knowledge.baselines.character import character, character_of
from tests.unit.knowledge_skills.sources_of_types import HEAD, TYPES


@pytest.mark.parametrize("name", TYPES)
def test_the_type_is_told_by_syntax(name: str) -> None:
    (source, arguments), wanted = TYPES[name]
    assert character(source, "f", arguments).type == wanted


@pytest.mark.parametrize("name", ["rows", "codes of a table", "product", "five points", "shortest paths"])
def test_other_names_and_another_order_of_arguments_change_nothing(name: str) -> None:
    (source, arguments), wanted = TYPES[name]
    renamed = re.sub(r"\b([a-z])\b", lambda m: f"zz_{m[1]}9", source)
    assert character(renamed, "zz_f9", tuple(f"zz_{a}9" for a in arguments)).type == wanted


@pytest.mark.parametrize(
    "pack",
    ["axpy_gemv", "gemma_decode", "atax", "bicg", "mvt", "gemver", "gesummv", "jacobi-2d", "correlation", "nussinov"],
)
def test_operations_agree_with_what_the_packs_say(pack: str) -> None:
    for spec in load_pack(pack).kernels:
        found = character_of(baseline(spec), spec)
        assert found.exact
        assert found.operations == pytest.approx(spec.operations, rel=0.07)


def test_triangles_are_counted_as_they_run() -> None:
    body = "for (int i = 0; i < N; i++) for (int j = 0; j < i; j++) for (int k = j; k < i; k++) c[i] += a[j * N + k];"
    found = character(f"{HEAD}void f(const float *a, float *c) {{ {body} }}", "f", ("a", "c"))
    exact = sum(i - j for i in range(300) for j in range(i))
    assert found.operations == pytest.approx(exact, rel=0.01)
    assert "triangular" in found.traits


def test_steps_in_a_row_are_those_of_one_accumulator() -> None:
    (source, arguments), _ = TYPES["rows"]
    assert character(source, "f", arguments).steps == 300 * 200
    (source, arguments), _ = TYPES["rank one"]
    assert character(source, "f", arguments).steps == 0


def test_arrays_are_followed_through_calls() -> None:
    source = """#define N 64
static float sum(const float *v, int n) { float s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }
void f(const float *a, const float *b, float *c) {
    for (int r = 0; r < N; r++) { c[r] = sum(a + r * N, N); }
    c[0] = sum(b, 8);
}"""
    found = character(source, "f", ("a", "b", "c"))
    assert [(n.kind, n.reads) for n in found.nests] == [("reduction", ("a",)), ("reduction", ("b",))]
    assert found.nests[0].operations == 64 * 64


@pytest.mark.parametrize("source", ["", "int x = ;", "void f(void) { f(); }", "void f(int *a) { while (*a) a++; }"])
def test_what_cannot_be_followed_is_other_and_says_why(source: str) -> None:
    found = character(source, "f", ("a",))
    assert found.type == "other"
    assert not found.exact
    assert found.why


def test_a_language_without_a_grammar_is_other() -> None:
    spec = load_pack("axpy_gemv").kernel("gemv")
    other = Candidate(spec.name, {"k.cl": "kernel void gemv() {}"}, main="k.cl", language="opencl-c")
    assert character_of(other, spec).type == "other"
