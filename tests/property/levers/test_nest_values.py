"""Whatever structural lever is pulled on a loop nest, wherever it fits, with whatever knobs: the values stay."""

from pathlib import Path

import numpy as np
import pytest

from kernels.design.generator import Generator
from kernels.levers import registry
from kernels.levers.base import Application, Context
from kernels.targets.cpu_c.machine import this_machine
from kernels.values.candidate import Candidate
from tests.unit.levers.loop_nests import LOOP_NESTS, PRODUCTS, TRIANGLE, TWICE, LoopNest
from tests.unit.levers.running import call, compiled_all

CHAINS, LENGTH = 3, 3
EXPECTED = {
    "threads", "accumulators", "vector_map", "interchange", "interchange_prefix", "tile", "unroll_jam", "hoist",
    "split_loop", "fuse_loops", "fuse_shifted", "strength_reduction", "prefetch", "restrict", "lookup_table",
    "inline_calls", "matvec_portable",
}  # fmt: skip


def options(nest: LoopNest, candidate: Candidate) -> list[Application]:
    found = registry.applications(candidate, Context(nest.spec, this_machine()))
    return [a for a in found if a.family in ("structure", "sketch")]


def same_values(nest: LoopNest, made: dict[str, Candidate], tmp_path: Path) -> None:
    """Compiles all of them at once and compares every output with the unchanged kernel's."""
    functions = compiled_all([nest.candidate, *made.values()], nest.spec, tmp_path)
    wanted = nest.arrays()
    call(functions[0], nest.spec, wanted)
    for name, function in zip(made, functions[1:], strict=True):
        got = nest.arrays()
        call(function, nest.spec, got)
        for argument in nest.spec.arguments:
            if argument.writable:
                a, b = got[argument.name].astype(float), wanted[argument.name].astype(float)
                limit = {"f32": 3e-5, "f64": 1e-12}.get(argument.dtype, 0.0)
                assert np.abs(a - b).max() <= limit * max(1.0, np.abs(b).max()), f"{name}: {argument.name}"


@pytest.mark.parametrize("nest", LOOP_NESTS, ids=lambda n: n.name)
def test_every_way_of_every_lever_keeps_the_values(nest: LoopNest, tmp_path: Path) -> None:
    context = Context(nest.spec, this_machine())
    made = {
        f"{a.lever} {a.site} {dict(a.params)}": registry.apply(nest.candidate, a, context)
        for a in options(nest, nest.candidate)
    }
    assert len(made) >= 5
    same_values(nest, made, tmp_path)


def test_every_lever_for_nests_has_a_place_among_these_kernels() -> None:
    assert {a.lever for nest in LOOP_NESTS for a in options(nest, nest.candidate)} >= EXPECTED


@pytest.mark.parametrize("nest", LOOP_NESTS, ids=lambda n: n.name)
def test_chains_of_levers_keep_the_values(nest: LoopNest, tmp_path: Path) -> None:
    context, made = Context(nest.spec, this_machine()), dict[str, Candidate]()
    for seed in range(CHAINS):
        rng, candidate, steps = np.random.default_rng(seed), nest.candidate, list[str]()
        for _ in range(LENGTH):
            offered = options(nest, candidate)
            if not offered:  # the end of a chain
                break
            lever = rng.choice(sorted({a.lever for a in offered}))
            fitting = [a for a in offered if a.lever == lever]
            chosen = fitting[rng.integers(len(fitting))]
            candidate = registry.apply(candidate, chosen, context)
            steps.append(f"{chosen.lever} {chosen.site}")
        made[" > ".join([str(seed), *steps])] = candidate
    same_values(nest, made, tmp_path)


@pytest.mark.parametrize(
    ("nest", "lever"),
    [(PRODUCTS, "interchange"), (PRODUCTS, "tile"), (TRIANGLE, "unroll_jam"), (TWICE, "accumulators"),
     (TWICE, "threads"), (TWICE, "prefetch")],
    ids=lambda x: x if isinstance(x, str) else "",
)  # fmt: skip
def test_knobs_of_a_nest_change_no_value(nest: LoopNest, lever: str, tmp_path: Path) -> None:
    context = Context(nest.spec, this_machine())
    chosen = [a for a in options(nest, nest.candidate) if a.lever == lever][-1]
    opened = Generator(registry.apply(nest.candidate, chosen, context))
    assert opened.size > 1
    same_values(nest, {str(n): c for n, c in enumerate(opened.sample(4, seed=2))}, tmp_path)
