"""Levers on OpenCL C: what they match, what they write, and where they keep away."""

import re

import pytest

from kernels.gates.grammar_opencl import OpenClGrammar
from kernels.levers import registry
from kernels.levers.base import Application, Context, LeverDoesNotApply
from kernels.levers.opencl_c.work_items import groups_of, work_items
from kernels.packs.loader import baseline, load_pack
from kernels.targets.cpu_c.machine import this_machine
from kernels.targets.opencl.launches import plan_of
from kernels.targets.opencl.plugin import PLUGIN
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec

PACK = load_pack("axpy_gemv")
AXPY, GEMV = PACK.kernel("axpy"), PACK.kernel("gemv")


def context(spec: KernelSpec) -> Context:
    return Context(spec, this_machine())


def first(spec: KernelSpec) -> Candidate:
    return baseline(spec, PLUGIN.dialect)


def pulled(spec: KernelSpec, lever: str, candidate: Candidate | None = None) -> Candidate:
    candidate = candidate or first(spec)
    found = next(a for a in registry.applications(candidate, context(spec)) if a.lever == lever)
    return registry.apply(candidate, found, context(spec))


def offered(spec: KernelSpec, source: str) -> set[str]:
    return {a.lever for a in registry.applications(PLUGIN.dialect.candidate(spec.name, source), context(spec))}


@pytest.mark.parametrize("spec", [AXPY, GEMV], ids=lambda spec: spec.name)
def test_whatever_is_offered_passes_the_source_gate(spec: KernelSpec) -> None:
    made = [registry.apply(first(spec), a, context(spec)) for a in registry.applications(first(spec), context(spec))]
    assert len({one.id for one in made}) == len(made) >= 7
    assert [OpenClGrammar().examine(one, spec) for one in made] == [None] * len(made)


def test_no_lever_of_c_is_offered_and_none_of_opencl_to_c() -> None:
    assert offered(GEMV, first(GEMV).source) <= {one.name for one in registry.all_levers("opencl")}
    assert not {a.lever for a in registry.applications(baseline(GEMV), context(GEMV)) if a.lever.startswith("opencl")}
    with pytest.raises(LeverDoesNotApply, match="no lever 'matvec_portable' for opencl sources"):
        registry.apply(first(GEMV), Application("matvec_portable", "sketch", {}, "", "", ""), context(GEMV))


def test_a_mat_vec_is_known_by_what_it_computes() -> None:
    renamed = re.sub(r"\bgemv\b", "gemv", first(GEMV).source).replace("row", "r").replace("column", "k")
    assert "opencl_dot_rows" in offered(GEMV, renamed)
    assert "opencl_dot_rows" not in offered(GEMV, renamed.replace("W[r * COLUMNS + k]", "W[k * ROWS + r]"))
    assert "opencl_dot_rows" not in offered(GEMV, renamed.replace("* x[k]", "* x[k] * x[k]"))


def test_the_launch_follows_the_rows_of_a_work_item() -> None:
    made = pulled(GEMV, "opencl_dot_rows")
    assert (plan_of(made, {}).launches[0].size, plan_of(made, {}).launches[0].group) == (1024, 4)
    more = Candidate(made.kernel, {made.main: made.source.replace("KW_TUNE_ROWS_1 2", "KW_TUNE_ROWS_1 8")}, made.main)
    assert plan_of(more, {}).launches[0].size == 256


def test_the_groups_that_share_a_row_are_as_many_as_rows() -> None:
    launch = plan_of(pulled(GEMV, "opencl_dot_group"), {}).launches[0]
    assert launch.size == 2048 * launch.group


def test_a_map_of_f32_elements_becomes_one_of_vectors() -> None:
    made = pulled(AXPY, "opencl_vector_map")
    assert "KW_STORE_1(a * KW_LOAD_1(kw_at_1, x) + KW_LOAD_1(kw_at_1, y), kw_at_1, out);" in made.source
    assert plan_of(made, {}).launches[0].size == 1048576 // 16 or plan_of(made, {}).launches[0].size == 1048576 // 8


@pytest.mark.parametrize("body", ["out[i] = x[i + 1];", "out[i] = i;", "if (a > 0) out[i] = x[i];", "out[0] = x[i];"])
def test_what_is_not_elementwise_stays_scalar(body: str) -> None:
    source = first(AXPY).source.replace("out[i] = a * x[i] + y[i];", body)
    assert "opencl_vector_map" not in offered(AXPY, source)


def test_a_group_and_a_loop_get_a_knob_once() -> None:
    made = pulled(GEMV, "opencl_unroll", pulled(GEMV, "opencl_group"))
    assert "KW_LAUNCH(gemv, ROWS, KW_TUNE_GROUP_1);" in made.source
    assert "__attribute__((opencl_unroll_hint(KW_TUNE_UNROLL_2))) for (int column" in made.source
    assert offered(GEMV, made.source).isdisjoint({"opencl_group", "opencl_unroll"})


def test_groups_divide_whatever_a_work_item_takes() -> None:
    assert groups_of(3840, 1, 2, 4, 8) == (1, 2, 4, 8, 16, 32)


def test_a_function_that_is_launched_twice_is_left_alone() -> None:
    assert work_items(first(GEMV).source + "KW_LAUNCH(gemv, 1, 1);\n") == ()


def test_two_codes_a_byte_do_not_run_into_each_other() -> None:
    spec = load_pack("gemma_decode").kernel("ffn")
    made = pulled(spec, "opencl_dot_rows")
    assert "((codes << 4) & 0x7fu)" in made.source
    assert "((codes & 0xf0u) & 0x7fu)" in made.source
    assert [a.site for a in registry.applications(first(spec), context(spec)) if a.lever == "opencl_dot_rows"] == [
        "project_up", "project_gate", "project_down",
    ]  # fmt: skip
