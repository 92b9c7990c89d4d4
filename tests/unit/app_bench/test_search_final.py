"""The final block counts the pairs that a test would count, takes the others again, and says where none is left."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
from typing_extensions import override

from app.bench.search.final import TWIN, Block
from kernels.device.report import CheckReport
from kernels.packs.loader import baseline, load_pack
from kernels.values.candidate import Candidate
from kernels.values.reading import First, Pair, Reading

SPEC = load_pack("axpy_gemv").kernel("gemv")
HEAD = Candidate("gemv", {"kernel.c": "faster\n"})
Made = Callable[[int], Pair]


def pair(head_ns: float, ns: float, **told: Any) -> Pair:
    return Pair(Reading(head_ns, 8, head_ns, head_ns), Reading(ns, 8, ns, ns), "head", **told)


@dataclass
class Scripted:
    """made: the pair of HEAD by its number; the twin is as fast as the start in all of its own."""

    made: Made
    asked: list[str] = field(default_factory=list)

    async def enter(self, lane: str, kernel: str, keys: list[str]) -> None:
        return None

    async def begin_test(self, kernel: str, head: str, key: str) -> str:
        return key

    async def pair(self, test: str, first: First, head_ns: float) -> Pair:
        self.asked.append(test)
        return self.made(self.asked.count(test) - 1) if test == HEAD.id else pair(1000.0, 1000.0)

    async def end_test(self, test: str) -> CheckReport:
        return CheckReport(True)

    async def unload(self, key: str) -> None:
        return None


class Loaded(Block):
    """Nothing is built."""

    @override
    async def _load(self, key: str, candidate: Candidate) -> None:
        return None


def block(device: Scripted) -> Block:
    return Loaded(cast(Any, device), cast(Any, None), SPEC, Path(), 1000.0, seed=1, say=lambda _: None, pairs=12)


async def test_pairs_that_a_test_would_take_again_are_taken_again() -> None:
    """One in which the device changed its mode, one in which both sides were long, one that could not be read."""
    spoilt = {
        2: pair(1000.0, 3000.0, redo_reason="clocks: another one"),
        5: pair(9000.0, 9000.0, probe_before_gbs=30.0, probe_after_gbs=10.0), 7: pair(float("nan"), 500.0),
    }  # fmt: skip
    device = Scripted(lambda n: spoilt.get(n, pair(1000.0, 500.0, probe_before_gbs=30.0, probe_after_gbs=30.0)))
    found = (await block(device).run({HEAD.id: HEAD}))[HEAD.id]
    assert found.speedup is not None
    assert (found.problem, len(found.ratios)) == ("", 12)
    assert (found.speedup.low, found.speedup.high) == (pytest.approx(2.0), pytest.approx(2.0))
    assert device.asked.count(TWIN) == 12


async def test_a_head_without_a_usable_pair_is_no_head_as_fast_as_the_start() -> None:
    found = (await block(Scripted(lambda _: pair(float("nan"), 500.0))).run({HEAD.id: HEAD}))[HEAD.id]
    assert (found.speedup, found.unread, found.problem) == (None, True, "no figure: 0 of 12 pairs could be used")


async def test_a_doubtful_pair_after_the_last_redo_counts() -> None:
    found = (await block(Scripted(lambda _: pair(1000.0, 500.0, redo_reason="clocks"))).run({HEAD.id: HEAD}))[HEAD.id]
    assert (len(found.ratios), len(found.log.redos), found.problem) == (12, 3, "")


async def test_the_start_itself_is_not_measured() -> None:
    first = baseline(SPEC)
    device = Scripted(lambda _: pair(1000.0, 500.0))
    assert list(await block(device).run({first.id: first})) == [TWIN]
