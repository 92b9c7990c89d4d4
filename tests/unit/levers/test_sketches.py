"""Sketches compute what the nest computed, whatever it is called, however it is written, whatever its table holds."""

from dataclasses import replace
from pathlib import Path

import pytest

from kernels.design.annotations import annotations, render
from kernels.levers import registry
from kernels.levers.base import Application, Context, LeverDoesNotApply
from kernels.levers.sketches.registry import sketch_levers
from kernels.packs.loader import baseline, load_pack
from kernels.targets.cpu_c.machine import this_machine
from kernels.values.candidate import Candidate
from kernels.values.machine import Machine
from tests.unit.levers.nests import (
    E2M1,
    E4M3_TABLE,
    EXPECTED_FACTOR,
    NESTS,
    POINTERS,
    SIGNED,
    Nest,
    nibble_nest,
    table_nest,
)
from tests.unit.levers.running import call, compiled, largest_error

LEVERS = [lever.name for lever in sketch_levers()]
HERE = this_machine()


def sketched(nest: Nest, lever: str, machine: Machine = HERE) -> list[Candidate]:
    context = Context(nest.spec, machine)
    found = [a for a in registry.applications(nest.candidate, context) if a.lever == lever]
    return [registry.apply(nest.candidate, a, context) for a in found]


def with_knobs(candidate: Candidate, **values: str) -> Candidate:
    found = {a.name: values[a.knob] for a in annotations(candidate.source) if a.knob in values}
    return replace(candidate, files={"kernel.c": render(candidate.source, found)})


def right(nest: Nest, candidate: Candidate, folder: Path, tolerance: float = 2e-6) -> None:
    arrays = nest.arrays()
    call(compiled(candidate, nest.spec, folder), nest.spec, arrays)
    wanted = nest.wanted(arrays) * EXPECTED_FACTOR.get(nest.name.removesuffix(" renamed"), 1.0)
    assert largest_error(arrays["y"], wanted) < tolerance


@pytest.mark.parametrize("nest", NESTS, ids=lambda n: n.name)
def test_every_spelling_has_a_sketch_that_computes_the_same(nest: Nest, folder: Path) -> None:
    right(nest, nest.candidate, folder)
    made = [c for lever in LEVERS for c in sketched(nest, lever)[:1]]
    assert made
    for candidate in made:
        right(nest, candidate, folder)


@pytest.mark.parametrize(
    "knobs", [{"rows": "4", "spread": "0", "accumulators": "4", "chunk": "16"}, {"rows": "8", "accumulators": "1"}]
)
@pytest.mark.parametrize("lever", LEVERS)
def test_knobs_change_no_value(lever: str, knobs: dict[str, str], folder: Path) -> None:
    nests = [table_nest("e4m3 table", E4M3_TABLE), nibble_nest("nibbles", E2M1, 400)]
    made = [(nest, c) for nest in nests for c in sketched(nest, lever)[:1]]
    if not made:
        raise pytest.skip.Exception(f"this machine has not what {lever} needs")
    for nest, candidate in made:
        right(nest, with_knobs(candidate, **knobs, prefetch="512", hint="0", width="4"), folder)


def test_identifiers_do_not_matter() -> None:
    names = {
        "w": "alpha",
        "x": "beta",
        "y": "gamma",
        "row": "q",
        "column": "z",
        "sum": "total",
        "T": "lut",
        "K": "WIDE",
    }
    nest = table_nest("e4m3 table", E4M3_TABLE)
    assert [len(sketched(nest.renamed(names), x)) for x in LEVERS] == [len(sketched(nest, x)) for x in LEVERS]


def test_terms_take_over_what_rounding_the_vector_leaves(folder: Path) -> None:
    nest = table_nest("e4m3 table", E4M3_TABLE)
    made = sketched(nest, "matvec_avx512_bf16")
    if not made:
        raise pytest.skip.Exception("this machine has no AVX-512 BF16")
    arrays = nest.arrays()
    arrays["x"] = arrays["x"] * 1.2345678
    arrays["x"] = arrays["x"].astype("float32")
    errors = []
    for terms in ("1", "2", "3"):
        call(compiled(with_knobs(made[0], terms=terms), nest.spec, folder), nest.spec, arrays)
        errors.append(largest_error(arrays["y"], nest.wanted(arrays) * 0.5))
    assert 1e-2 > errors[0] > 20 * errors[1] and errors[2] < 1e-6


def test_tables_that_bf16_cannot_hold_are_left_alone() -> None:
    import numpy as np

    fine = np.linspace(0.1, 1.0, 256).astype(np.float32)
    assert not sketched(table_nest("t", fine), "matvec_avx512_bf16", wide_machine())
    assert sketched(table_nest("t", fine), "matvec_portable", wide_machine())


def wide_machine() -> Machine:
    return Machine(
        "x", "x86_64", frozenset("avx2 f16c fma avx512f avx512bw avx512vl avx512dq avx512vbmi avx512_bf16".split()), 2
    )


def test_instructions_that_the_machine_lacks_are_not_offered() -> None:
    small = Machine("arm", "aarch64", frozenset({"asimd"}), 4)
    offered = {a.lever for a in registry.applications(POINTERS.candidate, Context(POINTERS.spec, small))}
    assert "matvec_portable" in offered and not any("avx" in name for name in offered)
    asked = Application("matvec_avx512_bf16", "sketch", {"terms": 1}, "every nest", "", "")
    with pytest.raises(LeverDoesNotApply):
        registry.apply(POINTERS.candidate, asked, Context(POINTERS.spec, small))


BROKEN = {
    "the vector is written in the row": ("y[i] *= 2.0f;", "((float *)x)[i] = y[i];"),
    "the reduction leaves early": ("y[i] += ", "if (j > 3) break; else y[i] += "),
    "columns with a stride": ("x[j]", "x[2 * j]"),
    "no weight of the row": ("w[192 * i + j]", "w[j]"),
    "a function of two bytes": ("(float)w[192 * i + j]", "(float)(w[192 * i + j] ^ w[j])"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_other_loops_are_not_taken_for_mat_vecs(what: str) -> None:
    old, new = BROKEN[what]
    assert old in SIGNED.source
    other = replace(SIGNED, source=SIGNED.source.replace(old, new))
    assert not [c for lever in LEVERS for c in sketched(other, lever, wide_machine())]


@pytest.mark.parametrize("kernel", ["gemma_decode/qkv", "gemma_decode/attn_out", "gemma_decode/ffn", "axpy_gemv/gemv"])
def test_the_baselines_have_sketches(kernel: str) -> None:
    pack, name = kernel.split("/")
    spec = load_pack(pack).kernel(name)
    offered = {a.lever for a in registry.applications(baseline(spec), Context(spec, wide_machine()))}
    assert "matvec_portable" in offered and "threads" in offered
    assert ("matvec_avx512_bf16" in offered) == (pack == "gemma_decode")
