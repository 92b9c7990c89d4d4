"""Whatever levers are pulled in whatever order: the source parses, differs, and is the same every time."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.levers import registry
from kernels.levers.base import Application, Context, LeverDoesNotApply
from kernels.levers.syntax import parse
from kernels.packs.loader import baseline, load_pack
from kernels.values.candidate import Candidate
from kernels.values.machine import Machine

FEATURES = "avx2 f16c fma avx512f avx512bw avx512vl avx512dq avx512vbmi avx512_bf16 avx512_vnni"
WIDE = Machine("x", "x86_64", frozenset(FEATURES.split()), 2)
KERNELS = [("gemma_decode", "qkv"), ("gemma_decode", "attn_out"), ("gemma_decode", "ffn"), ("axpy_gemv", "gemv")]
SPECS = [load_pack(pack).kernel(name) for pack, name in KERNELS]


def step(candidate: Candidate, context: Context, draw: int) -> Candidate:
    offered = registry.applications(candidate, context)
    chosen = offered[draw % len(offered)]
    made = registry.apply(candidate, chosen, context)
    assert made.id != candidate.id
    assert not parse(made.source).has_error
    assert registry.apply(candidate, Application.from_json(chosen.to_json()), context) == made
    return made


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(SPECS), st.lists(st.integers(0, 10_000), min_size=1, max_size=4))
def test_any_chain_of_levers_parses_differs_and_repeats(spec, draws) -> None:
    candidate, context = baseline(spec), Context(spec, WIDE)
    for draw in draws:
        candidate = step(candidate, context, draw)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(SPECS), st.integers(0, 10_000), st.sampled_from(SPECS))
def test_a_lever_of_another_source_applies_cleanly_or_says_why(spec, draw, other) -> None:
    offered = registry.applications(baseline(spec), Context(spec, WIDE))
    target, context = baseline(other), Context(other, WIDE)
    try:
        made = registry.apply(target, offered[draw % len(offered)], context)
    except LeverDoesNotApply as refusal:
        assert refusal.reason
        return
    assert not parse(made.source).has_error


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.name)
def test_applications_are_in_a_fixed_order(spec) -> None:
    context = Context(spec, WIDE)
    assert registry.applications(baseline(spec), context) == registry.applications(baseline(spec), context)
