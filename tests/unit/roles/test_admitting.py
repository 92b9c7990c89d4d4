"""What is told of a baseline that a gate refuses, and what to do about it."""

import pytest

from kernels.values.verdict import GateReport, GateState
from roles.admitting import refusal_told


@pytest.mark.parametrize(
    ("kind", "todo"),
    [
        ("crash", "mend baseline.c"),
        ("wrong_values", "mend baseline.c, or widen [tolerance] in kernel.toml where the rounding is honest"),
        ("protocol", "mend baseline.c, or the file of its target where its command does not write what that says"),
    ],
)
def test_what_to_do_follows_from_the_kind(kind: str, todo: str) -> None:
    report = GateReport("correct", GateState.REFUSED, kind, "nothing there matches")
    assert refusal_told(report, "baseline.c") == f"gate correct: {kind}: nothing there matches; {todo}"
