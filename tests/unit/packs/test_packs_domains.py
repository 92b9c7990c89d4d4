"""Domains of integer inputs: edges first, and every value once."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kernels.packs.domains import Domain, Sweep, domains_of, unswept
from kernels.packs.loader import find_kernel
from kernels.packs.reference import Reference, load_reference
from kernels.packs.regimes import AUDIT_REGIMES, activations
from kernels.packs.toml import PackError
from kernels.values.kernel import Argument, KernelSpec

POSITION = Argument("pos", "i32", (), "input", ("int", 0.0, 1000.0))
INDICES = Argument("rows", "i64", (3, 4), "input", ("int", -8.0, 100.0))


def test_all_parts_of_a_sweep_together_are_the_whole_domain() -> None:
    sweep = Sweep([Domain(POSITION, 0, 1000)], 3)
    values = [int(sweep.call(i)[1]) for i in range(len(sweep))]
    assert sorted(values) == list(range(1000))
    assert {0, 1, 511, 512, 513, 998, 999} <= set(values[:40])
    assert values != [int(Sweep([Domain(POSITION, 0, 1000)], 4).call(i)[1]) for i in range(1000)]


def test_arrays_take_as_many_values_a_call_as_they_have_elements_in_turn_with_scalars() -> None:
    sweep = Sweep([Domain(POSITION, 0, 1000), Domain(INDICES, -8, 100)], 3)
    argument, first = sweep.call(1)
    assert (argument.name, first.shape, first.dtype) == ("rows", (3, 4), np.int64)
    seen = np.concatenate([sweep.call(i)[1].ravel() for i in range(1, 19, 2)])
    assert sorted(seen) == list(range(-8, 100))
    assert len(sweep) == 2000


def test_a_domain_too_large_to_go_through_is_sampled_and_says_so() -> None:
    domain = Domain(POSITION, 0, 1 << 30)
    assert (domain.whole, domain.calls) == (False, 1 << 20)
    assert len(np.unique(domain.order(1))) > 1_000_000


def test_the_shipped_pack_sets_what_depends_on_its_position() -> None:
    spec = find_kernel("qkv")[1]
    (domain,) = domains_of(spec)
    assert (domain.argument.name, domain.low, domain.high) == ("pos", 0, 32768)
    drawn = load_reference(spec).inputs_at(
        np.random.default_rng(1), "random", domain.argument, np.asarray(32767, dtype=np.int32)
    )
    assert int(drawn["pos"]) == 32767
    assert drawn["rope_cos"][0] == np.float32(np.cos(32767.0))


def test_inputs_of_the_packs_own_need_to_say_how(tmp_path: Path) -> None:
    spec = KernelSpec("p", "k", "k", "k", (POSITION,), {}, (), ("random",), tmp_path)
    plain = Reference(spec, lambda a: a, None)
    own = replace(plain, maker=lambda rng, regime: {"pos": np.asarray(5, dtype=np.int32)})
    assert (unswept(plain), unswept(own)) == ((), ("pos",))
    value, rng = np.asarray(7, dtype=np.int32), np.random.default_rng(1)
    assert int(plain.inputs_at(rng, "random", POSITION, value)["pos"]) == 7
    with pytest.raises(PackError, match="no inputs_at"):
        own.inputs_at(rng, "random", POSITION, value)


@pytest.mark.parametrize("regime", AUDIT_REGIMES)
def test_regimes_of_audits_stay_within_the_range(regime: str) -> None:
    for shape in ((), (64,), (3, 5)):
        drawn = activations(np.random.default_rng(2), regime, shape, -1.0, 1.0)
        assert drawn.shape == shape
        assert np.abs(drawn).max() <= 1.0
