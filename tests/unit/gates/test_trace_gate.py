"""Gate `trace`: refuses only what is clearly longer in every turn; says why it skips; a one-lever change skips it."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pytest

from kernels.gates.base import Subject
from kernels.gates.trace import TraceGate
from kernels.profiling.trace import Trace, call_of
from kernels.sandbox.spans import Timeline
from kernels.targets.base import Artefact, CompileFailed, Target
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.shapes import Shape
from kernels.values.verdict import GateReport, GateState
from tests.unit.profiling.timelines import SOURCE, candidate, span, spec

CHANGED = candidate(SOURCE.replace("KW_SPAN_BEGIN(down);", "KW_SPAN_BEGIN(down); __builtin_prefetch(p->from);"))


@dataclass
class Builder:
    """Records what was built with marks."""

    fails: str = ""
    built: list[str] = field(default_factory=list)

    def compile(self, one: Candidate, _: KernelSpec, folder: Path, *, profile: bool = False) -> Artefact:
        assert profile
        if one.id == self.fails:
            raise CompileFailed("compile_error", "no such thing")
        self.built.append(one.id)
        made = folder / "candidate.so"
        made.touch()
        return Artefact(made, "", 0.0)


@dataclass
class Profiler:
    """Both sides take 400 + 200 ns in their two loops; ratios: of the candidate's second loop by turn. first: what its
    other loop takes in place of 400."""

    ratios: tuple[float, ...] = (1.0,) * 5
    first: float = 400.0
    caught: tuple[str, str] = ("", "")
    holders: list[str] = field(default_factory=list)
    runs: int = 0

    @asynccontextmanager
    async def host(self, holder: str) -> AsyncGenerator[None]:
        self.holders.append(holder)
        yield

    async def profile(
        self, kernel: str, sides: Mapping[str, Path], *, turns: int = 5, calls: int = 2
    ) -> dict[str, Trace]:
        assert list(sides) == ["head", "candidate"]
        self.runs += 1
        head, ours = self.trace((1.0,) * turns, 400.0), self.trace(self.ratios, self.first)
        return {"head": head, "candidate": replace(ours, caught=self.caught)}

    @staticmethod
    def trace(ratios: tuple[float, ...], first: float) -> Trace:
        calls = []
        for turn, ratio in enumerate(ratios):
            end = first + 200 * ratio
            spans = tuple(
                span(thread, name, begin, until, depth)
                for thread in (0, 1)
                for name, begin, until, depth in (
                    ("parallel 1", 0.0, first, 0), ("parallel 2", first, end, 0), ("down", first, end, 1),
                )
            )  # fmt: skip
            calls += [call_of(turn, slow * end, Timeline(spans, int(end)), 2) for slow in (1.0, 1.02)]
        return Trace(tuple(calls), 10.0, "slow")


def subject(folder: Path, one: Candidate = CHANGED, **more: Any) -> Subject:
    return Subject(one, spec(), candidate(), "head", 1e6, folder / one.id, **more)


async def examined(about: Subject, device: Profiler, builder: Builder | None = None) -> GateReport:
    return await TraceGate(cast("Target", builder or Builder()), device).examine(about)


async def test_a_one_lever_change_is_not_traced(tmp_path: Path) -> None:
    device = Profiler()
    report = await examined(subject(tmp_path, one_lever=True), device)
    assert (report.state, device.runs) == (GateState.SKIPPED, 0)
    assert "goes straight to the acceptance test" in report.reason


async def test_switched_off_it_profiles_nothing_and_says_so(tmp_path: Path) -> None:
    profiler = Profiler(ratios=(2.0,) * 5)
    gate = TraceGate(cast(Target, Builder()), profiler, on=False)
    report = await gate.examine(subject(tmp_path))
    assert (report.state, report.reason, profiler.runs) == (GateState.SKIPPED, "switched off by the setting", 0)


async def test_a_shorter_span_passes_with_its_numbers(tmp_path: Path) -> None:
    device, builder = Profiler((0.9, 0.8, 0.7, 0.9, 0.8)), Builder()
    report = await examined(subject(tmp_path), device, builder)
    assert report.state is GateState.PASSED
    assert report.findings == ("the loops over B took 0.2 us, the head's 0.2 us (-20.0 %)",)
    assert report.facts["aim"] == ["B"]
    assert report.facts["ratios"] == pytest.approx([0.9, 0.8, 0.7, 0.9, 0.8])
    assert (report.facts["head_ns"], report.facts["ns"]) == (200, pytest.approx(160))
    assert builder.built == [candidate().id, CHANGED.id]


async def test_a_clearly_longer_span_is_refused(tmp_path: Path) -> None:
    report = await examined(subject(tmp_path), Profiler((1.2, 1.15, 1.3, 1.11, 1.02)))
    assert (report.state, report.kind) == (GateState.REFUSED, "longer_span")
    assert "the loops over B" in report.reason
    assert "(+15.0 %), longer in all 5 turns" in report.reason


@pytest.mark.parametrize(
    "device",
    [
        Profiler((1.2, 1.2, 1.2, 1.2, 0.99)),
        Profiler((1.09, 1.09, 1.09, 1.09, 1.09)),
        Profiler((1.3, 1.3, 1.3, 1.3)),
        Profiler((1.3, 1.3, 1.3, 1.3, 1.3), first=200.0),
    ],
    ids=["not in every turn", "within the band", "too few turns", "the whole call is faster"],
)
async def test_what_is_not_clear_passes(tmp_path: Path, device: Profiler) -> None:
    assert (await examined(subject(tmp_path), device)).state is GateState.PASSED


async def test_one_shape_is_not_profiled_where_several_are_judged(tmp_path: Path) -> None:
    device, shapes = Profiler((2.0,) * 5), (Shape("decode", 3.0, {"M": 1}), Shape("prefill", 1.0, {"M": 96}))
    report = await examined(replace(subject(tmp_path), spec=replace(spec(), shapes=shapes)), device)
    assert (report.state, device.runs) == (GateState.SKIPPED, 0)
    assert report.reason == "a profiled run is at shape decode (M=1) only, one of 2 that are judged"


async def test_no_aim_is_said(tmp_path: Path) -> None:
    device = Profiler()
    report = await examined(subject(tmp_path, candidate(SOURCE + "/* */")), device)
    assert (report.state, device.runs) == (GateState.SKIPPED, 0)
    assert report.reason.startswith("no span is aimed at")


async def test_the_aim_is_against_what_the_lever_changed(tmp_path: Path) -> None:
    """The head differs everywhere; the lever touched one loop of its own base."""
    base = candidate(SOURCE.replace("p->to[b]", "p->to[b + 0]"))
    ours = candidate(base.source.replace("KW_SPAN_BEGIN(down);", "KW_SPAN_BEGIN(down); __builtin_prefetch(p->from);"))
    report = await examined(subject(tmp_path, ours, made_from=base), Profiler())
    assert report.facts["aim"] == ["B"]
    assert (await examined(subject(tmp_path, ours), Profiler())).facts["aim"] == ["A", "B"]


async def test_what_cannot_be_compared_is_said(tmp_path: Path) -> None:
    both = SOURCE.replace("first = {A, h}, second = {B, h};", "first = {A, h}, second = {A ? A : B, h};")
    about = replace(subject(tmp_path, made_from=candidate()), head=candidate(both))
    device = Profiler()
    report = await examined(about, device)
    assert report.state is GateState.SKIPPED
    assert "the loops over B cannot be compared with the head's: one loop reads A, B" in report.reason
    serial = candidate(SOURCE.replace("kw_parallel_for(10, 0, two, &second)", "two(&second, 0, 10, 0)"))
    about = replace(subject(tmp_path, CHANGED, made_from=candidate()), head=serial)
    assert "B is read outside of parallel loops" in (await examined(about, device)).reason
    assert device.runs == 0


async def test_failures_of_a_profiled_run_refuse_nobody(tmp_path: Path) -> None:
    crashed = await examined(subject(tmp_path), Profiler(caught=("crash", "signal 11")))
    assert crashed.state is GateState.SKIPPED
    assert "the profiled run of the candidate failed: crash: signal 11" in crashed.reason
    unbuilt = await examined(subject(tmp_path), Profiler(), Builder(fails=CHANGED.id))
    assert (unbuilt.state, unbuilt.reason) == (GateState.SKIPPED, "no build with marks: no such thing")


async def test_the_heads_build_is_kept(tmp_path: Path) -> None:
    builder, device = Builder(), Profiler()
    gate = TraceGate(cast("Target", builder), device)
    for _ in range(2):
        assert (await gate.examine(subject(tmp_path))).state is GateState.PASSED
    assert builder.built == [candidate().id, CHANGED.id, CHANGED.id]
    assert device.holders == ["build f with marks"] * 3
