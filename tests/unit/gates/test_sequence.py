"""The gate sequence: order, first refusal, skipped gates as a state of their own."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kernels.gates.base import Subject, passed, refused, skipped
from kernels.gates.batch import leaves
from kernels.gates.sequence import GateSequence
from kernels.packs.loader import baseline, load_pack
from kernels.values.verdict import GATE_ORDER, GateName, GateReport, GateState


@dataclass
class Scripted:
    name: GateName
    refuse: bool = False
    asked: list[str] = field(default_factory=list)

    async def examine(self, subject: Subject) -> GateReport:
        self.asked.append(self.name)
        return refused(self.name, "wrong_values", "no") if self.refuse else passed(self.name)


def subject() -> Subject:
    spec = load_pack("axpy_gemv").kernel("gemv")
    return Subject(baseline(spec), spec, baseline(spec), "head", 1e6, Path())


async def run(gates: list[Scripted], until: str = "") -> tuple[GateReport | None, list[GateReport]]:
    reports: list[GateReport] = []

    async def keep(report: GateReport) -> None:
        reports.append(report)

    ticks = iter(range(1000))
    return await GateSequence(gates, lambda: float(next(ticks))).run(subject(), keep, until=until), reports


async def test_all_pass_in_the_order_of_the_design() -> None:
    refusal, reports = await run([Scripted(name) for name in GATE_ORDER])
    assert refusal is None
    assert tuple(r.gate for r in reports) == GATE_ORDER
    assert all(r.seconds == 1.0 for r in reports)


@pytest.mark.parametrize("at", range(len(GATE_ORDER)))
async def test_the_first_refusal_ends_and_is_kept(at: int) -> None:
    gates = [Scripted(name, refuse=i >= at) for i, name in enumerate(GATE_ORDER)]
    refusal, reports = await run(gates)
    assert refusal is not None
    assert refusal.gate == GATE_ORDER[at]
    assert reports[-1] == refusal
    assert not any(g.asked for g in gates[at + 1 :])


async def test_until_names_the_last_gate() -> None:
    _, reports = await run([Scripted(name) for name in GATE_ORDER], until="compile")
    assert [r.gate for r in reports] == ["source", "legality", "compile"]


def test_a_missing_or_doubled_gate_is_a_wiring_error() -> None:
    with pytest.raises(ValueError, match="gates must be exactly"):
        GateSequence([Scripted("source"), Scripted("compile")], float)


def test_a_skipped_gate_says_why() -> None:
    report = skipped("trace", "no span is aimed at")
    assert (report.state, report.kind, report.reason) == (GateState.SKIPPED, "skipped", "no span is aimed at")


@pytest.mark.parametrize(
    ("ratios", "want"),
    [
        ([-0.05, -0.04, -0.06], True),
        ([-0.05, 0.001, -0.06], False),
        ([-0.02, -0.01, -0.029], False),
        ([-0.02, -0.031, -0.5], True),
        ([-0.02, -0.02, -0.5], False),
        ([-0.5, -0.5, 0.0], False),
    ],
)
def test_batch_leaves_only_when_all_pairs_are_clearly_slower(ratios: list[float], want: bool) -> None:
    assert leaves(ratios) is want
