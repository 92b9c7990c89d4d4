"""The levers for CUDA C++: blocks, tunables, flags, and what they leave alone."""

import pytest

from kernels.levers import registry
from kernels.levers.base import Application, Context, LeverDoesNotApply
from kernels.packs.loader import baseline, load_pack
from kernels.targets.cuda.launches import cuda_plan
from kernels.targets.cuda.options import refused
from kernels.targets.cuda.plugin import PLUGIN
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.machine import Machine

MACHINE = Machine("a GPU", "sm_90a", frozenset(), 132)


def spec_of(pack: str, kernel: str) -> KernelSpec:
    return load_pack(pack).kernel(kernel)


def pulled(first: Candidate, spec: KernelSpec, name: str) -> list[Candidate]:
    context = Context(spec, MACHINE)
    found = [one for one in registry.applications(first, context) if one.lever == name]
    return [registry.apply(first, one, context) for one in found]


def test_blocks_of_other_sizes_keep_the_number_of_threads() -> None:
    spec = spec_of("gemma_decode", "attn_out")
    first = baseline(spec, PLUGIN.dialect)
    found = {
        tuple((one.size, one.group) for one in cuda_plan(made, {}).launches) for made in pulled(first, spec, "block")
    }
    assert ((3840, 256), (1, 1), (3840, 128)) in found
    assert ((3840, 128), (1, 1), (3840, 64)) in found
    assert len(found) == 4
    assert all(size == 1 for launches in found for size, group in launches if group == 1)


def test_threads_that_are_rounded_up_are_rounded_up_to_the_new_block() -> None:
    spec = spec_of("gemm_bf16", "gemm")
    made = next(one for one in pulled(baseline(spec, PLUGIN.dialect), spec, "block") if ", 256);" in one.source)
    assert "KW_LAUNCH(gemm_bf16, (M * N + 255) / 256 * 256, 256);" in made.source
    assert [one.size % 256 for case in spec.cases for one in cuda_plan(made, case.sizes).launches] == [0] * 5


def test_a_launch_without_blocks_of_that_kind_is_no_place() -> None:
    spec = spec_of("axpy_gemv", "gemv")
    first = baseline(spec, PLUGIN.dialect)
    wrong = Application("block", "structure", {"function": "other", "block": 64}, "other", "", "")
    with pytest.raises(LeverDoesNotApply, match="other is not launched"):
        registry.apply(first, wrong, Context(spec, MACHINE))


def test_every_flag_is_allowed_and_replaces_its_like() -> None:
    spec = spec_of("axpy_gemv", "gemv")
    first = baseline(spec, PLUGIN.dialect)
    flags = [one for one in registry.all_levers("cuda") if one.family == "flags"]
    assert len(flags) >= 4
    made = first
    for lever in flags:
        (changed,) = pulled(made, spec, lever.name)
        assert refused(changed.flags) is None
        made = changed
    assert sum(flag.startswith("-maxrregcount") for flag in made.flags) == 1


def test_tunables_turn_in_sources_that_no_grammar_for_c_follows() -> None:
    spec = spec_of("axpy_gemv", "gemv")
    source = baseline(spec, PLUGIN.dialect).source
    source = f"#define KW_TUNE_TILE_1 64 /* tune: 32 64 128 */\ntemplate <int N> struct S {{ float v[N]; }};\n{source}"
    first = PLUGIN.dialect.candidate("gemv", source)
    assert {made.source.splitlines()[0].split()[2] for made in pulled(first, spec, "tune_tile")} == {"32", "128"}
