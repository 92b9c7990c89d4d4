"""Chip facts of this machine, against each other; never against absolute numbers."""

import asyncio
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from kernels.targets.base import TargetError
from kernels.targets.registry import get_target
from knowledge.facts import ChipFact, Outcome, Unmeasured, measure_all, measure_one
from knowledge.probes.catalogue import definitions
from knowledge.probes.definition import read_definition

LEVELS = ("latency_l1", "latency_l2", "latency_llc", "latency_dram")
ROUNDS = 3
"""What a busy machine leaves unmeasured is asked for again, as a user would."""
WANTED = (*LEVELS, "read_dram_one", "read_dram_all", "read_l1", "fma_latency", "launch_one", "launch_all", "empty_call")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    folder = tmp_path_factory.mktemp("facts")
    try:
        target = get_target("cpu-c", folder)
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error
    wanted = [one for one in definitions("cpu-c") if one.name in WANTED]
    found: dict[str, Outcome] = {}
    for _ in range(ROUNDS):
        left = [one for one in wanted if not isinstance(found.get(one.name), ChipFact)]
        asyncio.run(measure_all(target, left, folder, lambda one: found.update({one.name: one}), readings=5))
    return found


def fact(outcomes: dict[str, Outcome], name: str) -> ChipFact:
    found = outcomes[name]
    assert isinstance(found, ChipFact), found
    return found


def test_every_fact_has_readings_a_spread_and_a_fingerprint(outcomes: dict[str, Outcome]) -> None:
    for name in WANTED:
        one = fact(outcomes, name)
        assert len(one.readings) >= 5
        assert 0 < one.low <= one.value <= one.high
        assert len(one.fingerprint) == 12
        assert one.environment["load"] >= 0


def all_below(one: ChipFact, other: ChipFact) -> bool:
    """Whether no reading of the one comes up to any of the other: the tests run on busy machines as well."""
    return max(one.readings) < min(other.readings)


def test_a_cache_further_away_is_not_faster(outcomes: dict[str, Outcome]) -> None:
    for near, far in pairwise(LEVELS):
        assert not all_below(fact(outcomes, far), fact(outcomes, near)), (near, far)
    assert all_below(fact(outcomes, "latency_l1"), fact(outcomes, "latency_dram"))


def test_all_threads_read_no_less_than_one(outcomes: dict[str, Outcome]) -> None:
    assert not all_below(fact(outcomes, "read_dram_all"), fact(outcomes, "read_dram_one"))


def test_memory_is_no_faster_than_the_first_cache(outcomes: dict[str, Outcome]) -> None:
    assert not all_below(fact(outcomes, "read_l1"), fact(outcomes, "read_dram_one"))


def test_a_section_of_all_threads_costs_no_less_than_one_of_one(outcomes: dict[str, Outcome]) -> None:
    assert not all_below(fact(outcomes, "launch_all"), fact(outcomes, "launch_one"))


def test_a_probe_that_fails_says_why_and_stops_nobody(tmp_path: Path) -> None:
    target = get_target("cpu-c", tmp_path)
    head = 'title = "A fact of a test"\nunit = "ns"\nsource = "a.c"\n'
    (tmp_path / "mine.toml").write_text(head)
    start = '#include "kernelwright.h"\nvoid probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) '
    for body, words in (
        ("{ oops }", "does not compile"),
        ("{ *(volatile int *)0 = 1; }", "SIGSEGV"),
        ("{ (void)area, (void)bytes, (void)count, (void)out; }", "left out by the compiler"),
    ):
        (tmp_path / "a.c").write_text(start + body)
        outcome = measure_one(read_definition(tmp_path / "mine.toml", "cpu-c"), target, tmp_path / "work")
        assert isinstance(outcome, Unmeasured)
        assert words in outcome.why


def test_a_feature_that_the_processor_lacks_is_no_failure(tmp_path: Path) -> None:
    target = get_target("cpu-c", tmp_path)
    one = replace(definitions("cpu-c")[0], requires=("no_such_feature",))
    assert measure_one(one, target, tmp_path) == Unmeasured(
        one.name, "this processor has no no_such_feature", ("no_such_feature",)
    )
