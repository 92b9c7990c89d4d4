"""Gate `estimate`: refuses the clearly slower, abstains, and says why it skips."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from kernels.gates.base import Subject
from kernels.gates.estimate import WAITING, EstimateGate, Filter
from kernels.packs.loader import find_kernel
from kernels.profiling.agreement import LEAST_TOLERANCE, NEEDED, Point
from kernels.profiling.mca import NoEstimate
from kernels.profiling.schedule import HotLoop, Schedule
from kernels.targets.base import Artefact
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.shapes import Shape
from kernels.values.verdict import GateReport, GateState

_, SPEC = find_kernel("gemv", "axpy_gemv")
MODEL = "llvm-mca 1.0, model abacus"
HEAD = "8 cycles"
PEAK_NS = SPEC.bytes_moved / 64 / 2.0  # one cycle of 2 GHz for 64 bytes


class Clockwork:
    """Plans so many cycles for 64 bytes as the source's first number says; sources without one have no schedule."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def schedule(self, artefact: Artefact, spec: KernelSpec) -> Schedule:
        self.asked.append(artefact.path.name)
        word = artefact.path.name.split()[0]
        if not word.isdigit():
            raise NoEstimate(f"{word} has no hot loop")
        return Schedule((HotLoop(spec.entry, 0, 5, float(word), 64, 1),), MODEL, 2.0)

    def built_in(self, folder: Path) -> Artefact | None:
        return Artefact(Path(HEAD), "", 0.0) if folder.name == "kept" else None


class Free:
    @asynccontextmanager
    async def host(self, holder: str) -> AsyncGenerator[None]:
        assert holder
        yield


def candidate(text: str) -> Candidate:
    return Candidate("gemv", {"kernel.c": text})


def point(planned: float, real: float, *, model: str = MODEL, wall: bool = False) -> Point:
    """Planned and real ratio to the head's time."""
    return Point(planned, real, 1.0, real, wall, model)


GOOD = tuple(point(1.0 + i / 50, 1.0 + i / 50) for i in range(NEEDED))
WIDE = (*GOOD[1:], point(2.0, 1.0))  # one that was planned at twice its time


def subject(text: str, head: str = HEAD, *, points: Sequence[Point] = GOOD, times_peak: float = 8.0) -> Subject:
    return Subject(
        candidate(text), SPEC, candidate(head), "head", times_peak * PEAK_NS, Path(), peak_ns=PEAK_NS,
        points=tuple(points), artefact=Artefact(Path(text), "", 0.0),
    )  # fmt: skip


async def answer(one: Subject, rule: Filter = "band", *, known: bool = True) -> GateReport:
    """After the head came by. known: whether it did."""
    gate = EstimateGate(Clockwork, Free(), rule)
    if known:
        await gate.examine(replace(one, candidate=one.head, artefact=Artefact(Path(one.head.source), "", 0.0)))
    return await gate.examine(one)


async def test_a_plan_far_beyond_the_heads_is_refused() -> None:
    found = await answer(subject("11 cycles"))
    assert (found.state, found.kind) == (GateState.REFUSED, "clearly_slower")
    assert found.reason == "planned 1.38 x the head's time; up to 1.30 x goes on, by the errors of 19 plans"
    assert found.facts["ratio"] == pytest.approx(11 / 8)
    assert found.facts["planned_ns"] == pytest.approx(11 * PEAK_NS)
    assert found.facts["head_planned_ns"] == pytest.approx(8 * PEAK_NS)


@pytest.mark.parametrize("text", ["10 cycles", "8 more cycles", "4 cycles"])
async def test_a_plan_within_the_tolerance_or_better_goes_on(text: str) -> None:
    found = await answer(subject(text))
    assert (found.state, found.facts["limit"]) == (GateState.PASSED, LEAST_TOLERANCE)
    assert found.reason.endswith("x the head's time; up to 1.30 x goes on")


async def test_the_tolerance_is_as_wide_as_the_plans_went_wrong() -> None:
    assert (await answer(subject("15 cycles", points=WIDE))).state is GateState.PASSED
    found = await answer(subject("17 cycles", points=WIDE))
    assert (found.state, found.facts["limit"]) == (GateState.REFUSED, pytest.approx(2.0))


async def test_too_few_measured_plans_only_record() -> None:
    found = await answer(subject("80 cycles", points=GOOD[1:]))
    assert (found.state, found.kind) == (GateState.SKIPPED, "skipped")
    assert found.reason.startswith("not calibrated yet, 18 of 19")
    assert found.facts["planned_ns"] == pytest.approx(80 * PEAK_NS)


@pytest.mark.parametrize("other", [{"model": "llvm-mca 2.0, model abacus"}, {"wall": True}])
async def test_plans_of_another_model_or_at_the_wall_do_not_count(other: dict[str, bool]) -> None:
    points = [*GOOD[1:], replace(GOOD[0], **other)]
    assert (await answer(subject("80 cycles", points=points))).facts["points"] == NEEDED - 1


@pytest.mark.parametrize(
    ("text", "head", "times_peak", "says"),
    [
        ("80 cycles", HEAD, 1.1, "at the wall: the head takes 1.10 x the time of the read probe"),
        ("80 cycles", "1 cycle", 8.0, "at the wall: the head's plan is the time of the read probe"),
        ("1 cycle", HEAD, 8.0, "at the wall: the plan is the time of the read probe"),
    ],
)
async def test_it_abstains_at_the_wall(text: str, head: str, times_peak: float, says: str) -> None:
    found = await answer(subject(text, head, times_peak=times_peak))
    assert (found.state, found.reason) == (GateState.SKIPPED, says)


async def test_a_plan_of_one_shape_refuses_nobody_who_is_judged_at_several() -> None:
    shapes = (Shape("decode", 3.0, {"M": 1}), Shape("prefill", 1.0, {"M": 96}))
    found = await answer(replace(subject("11 cycles"), spec=replace(SPEC, shapes=shapes)))
    assert (found.state, found.facts["ratio"]) == (GateState.SKIPPED, pytest.approx(11 / 8))
    assert found.reason == "planned 1.38 x the head's time at shape decode (M=1) only, one of 2 that are judged"


async def test_it_abstains_where_the_plan_explains_little_of_the_heads_time() -> None:
    found = await answer(subject("80 cycles", times_peak=40.0))
    assert (found.state, found.reason) == (
        GateState.SKIPPED,
        "the head's plan explains 20.0% of its measured time, and 25% are needed; planned 10.00 x the head's time",
    )
    assert (await answer(subject("80 cycles", times_peak=32.0))).state is GateState.REFUSED


async def test_without_a_hot_loop_it_says_why() -> None:
    found = await answer(subject("memcpy only"))
    assert (found.state, found.reason) == (GateState.SKIPPED, "memcpy has no hot loop")


async def test_without_a_plan_of_the_head_it_says_why_and_keeps_the_candidates() -> None:
    found = await answer(subject("80 cycles", "memcpy only"))
    assert (found.state, found.reason) == (GateState.SKIPPED, "the head has no plan: memcpy has no hot loop")
    assert found.facts["planned_ns"] == pytest.approx(80 * PEAK_NS)
    assert "did not come through" in (await answer(subject("80 cycles"), known=False)).reason


async def test_a_head_that_did_not_come_by_is_read_from_its_build() -> None:
    found = await answer(replace(subject("11 cycles"), head_folder=Path("kept")), known=False)
    assert (found.state, found.facts["head_planned_ns"]) == (GateState.REFUSED, pytest.approx(8 * PEAK_NS))
    found = await answer(replace(subject("11 cycles"), head_folder=Path("gone")), known=False)
    assert (found.state, "its build is gone" in found.reason) == (GateState.SKIPPED, True)


async def test_the_head_itself_is_only_kept() -> None:
    found = await answer(subject(HEAD))
    assert found.state is GateState.SKIPPED
    assert found.reason.startswith("it is the head itself")


async def test_the_stricter_rule_wants_a_promise() -> None:
    assert (await answer(subject("8 other cycles"), "gain")).state is GateState.REFUSED
    assert (await answer(subject("7 cycles"), "gain")).state is GateState.PASSED
    assert (await answer(subject("8 other cycles", points=GOOD[1:]), "gain")).state is GateState.SKIPPED


async def test_a_setting_makes_it_keep_plans_and_refuse_nothing() -> None:
    found = await answer(subject("80 cycles"), "record")
    assert (found.state, found.reason) == (
        GateState.SKIPPED,
        "only kept, by the setting; planned 10.00 x the head's time",
    )


async def test_a_target_without_a_model_is_skipped() -> None:
    found = await EstimateGate(lambda: None, Free()).examine(subject("80 cycles"))
    assert (found.state, found.reason) == (GateState.SKIPPED, "there is no static cost model of this target")


async def test_what_is_not_built_is_skipped() -> None:
    found = await answer(replace(subject("80 cycles"), artefact=None))
    assert found.state is GateState.SKIPPED


async def test_a_candidate_is_scheduled_once() -> None:
    clockwork = Clockwork()
    gate = EstimateGate(lambda: clockwork, Free())
    for _ in range(3):
        await gate.examine(subject("80 cycles"))
    assert clockwork.asked == ["80 cycles"]


class Busy:
    @asynccontextmanager
    async def host(self, holder: str) -> AsyncGenerator[None]:
        raise AssertionError(f"{holder} asks for the machine")
        yield


async def test_what_was_looked_at_with_its_build_needs_no_machine() -> None:
    clockwork = Clockwork()
    gate, one = EstimateGate(lambda: clockwork, Busy()), subject("11 cycles")
    for text in (HEAD, "11 cycles"):
        gate.look_at(Artefact(Path(text), "", 0.0), SPEC)
    await gate.examine(replace(one, candidate=one.head, artefact=Artefact(Path(HEAD), "", 0.0)))
    assert (await gate.examine(one)).state is GateState.REFUSED
    assert clockwork.asked == [HEAD, "11 cycles"]


async def test_builds_that_never_come_are_forgotten() -> None:
    gate = EstimateGate(Clockwork, Free())
    for number in range(3 * WAITING):
        gate.look_at(Artefact(Path(f"{number} cycles"), "", 0.0), SPEC)
    assert (await gate.examine(subject("11 cycles"))).facts["planned_ns"] == pytest.approx(11 * PEAK_NS)
