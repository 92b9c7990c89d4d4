"""What is right for a case of the corpus: a hostile one refused in time and for its reason, an honest one never."""

import pytest

from kernels.cheats.examine import judged
from kernels.cheats.registry import Case
from kernels.values.verdict import GateName, GateReport, GateState


def case(gate: GateName | None, *verdict: str) -> Case:
    return Case("c", "kind", "does", "mv", gate, verdict)


def refused(gate: GateName, kind: str) -> list[GateReport]:
    return [GateReport(gate, GateState.REFUSED, kind, kind)]


@pytest.mark.parametrize(("gate", "kind", "ok"), [
    ("source", "rng", False), ("correct", "wrong_values", True), ("source", "wrong_values", True),
    ("batch", "wrong_values", False), ("correct", "slower", False),
])  # fmt: skip
def test_a_hostile_case_is_refused_in_time_and_for_its_reason(gate: GateName, kind: str, ok: bool) -> None:
    assert judged(case("correct", "wrong_values"), "all gates", refused(gate, kind), 1.0).ok is ok


def test_a_hostile_case_that_passes_is_a_hole() -> None:
    assert not judged(case("correct", "wrong_values"), "all gates", [], 1.0).ok


def test_an_honest_case_may_be_slower_in_noisy_readings_and_accused_of_nothing() -> None:
    honest = case(None)
    assert judged(honest, "all gates", [], 1.0).ok
    assert judged(honest, "all gates", refused("batch", "slower"), 1.0).ok
    assert not judged(honest, "all gates", refused("batch", "protocol"), 1.0).ok
    assert not judged(honest, "all gates", [], 1.0, "the device failed").ok
