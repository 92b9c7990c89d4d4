"""The lever space of a tuner: configurations are candidates made by the levers' own code."""

from itertools import product

import pytest

from app.bench.search.discovery import space_of
from app.bench.search.space import KNOB, Space
from kernels.design.annotations import annotations
from kernels.levers import registry
from kernels.levers.base import Context
from kernels.levers.syntax import parse
from kernels.packs.loader import baseline, load_pack
from kernels.values.machine import Machine

SPEC = load_pack("axpy_gemv").kernel("gemv")
BASE = baseline(SPEC)
CONTEXT = Context(SPEC, Machine("test", "x86_64", frozenset({"avx2", "fma", "f16c"}), 2))


@pytest.fixture(scope="module")
def space() -> Space:
    return space_of(BASE, CONTEXT, 20_000)


def configuration(space: Space, **on: int) -> tuple[int, ...]:
    return tuple(on.get(slot.name, 0) for slot in space.slots)


def test_all_off_is_the_baseline_and_the_space_is_the_same_again(space: Space) -> None:
    assert space.candidate(configuration(space)).id == BASE.id
    assert space_of(BASE, CONTEXT, 20_000) == space


def test_one_slot_on_is_what_the_lever_makes(space: Space) -> None:
    threads = next(a for a in registry.applications(BASE, CONTEXT) if a.lever == "threads")
    assert space.candidate(configuration(space, threads_0=1)).id == registry.apply(BASE, threads, CONTEXT).id


def test_a_knob_is_set_in_the_design_that_brings_it(space: Space) -> None:
    slot = next(slot for slot in space.slots if slot.kind == KNOB and slot.needs == frozenset({"design"}))
    made = space.candidate(configuration(space, design=1, **{slot.name: 1}))
    assert {a.name: a.value for a in annotations(made.source)}[slot.name] == slot.choices[0].value
    assert space.candidate(configuration(space, **{slot.name: 1})).id == BASE.id, "nothing to turn"


def test_the_restrictions_leave_as_many_configurations_as_it_says() -> None:
    small = space_of(BASE, CONTEXT, 900)
    assert small.left_out
    rules = [compile(rule, "rule", "eval") for rule in small.restrictions]
    names = list(small.parameters)
    left = sum(
        all(eval(rule, {}, dict(zip(names, values, strict=True))) for rule in rules)
        for values in product(*small.parameters.values())
    )
    assert left == small.size <= 900


def test_any_configuration_parses(space: Space) -> None:
    for step in range(1, 9):
        made = space.candidate([step * 7 % slot.count for slot in space.slots])
        assert not parse(made.source).has_error
