"""A long reading lets others in between its calls; a short one does not."""

from types import SimpleNamespace

import pytest

from kernels.device import realtime
from kernels.device.realtime import BREATH_S, STRETCH_S, Breath


@pytest.mark.parametrize(("call_s", "calls", "breaths"), [(0.001, 30, 0), (0.005, 20, 2), (0.05, 4, 3)])
def test_a_breath_comes_after_a_stretch_of_calls(
    call_s: float, calls: int, breaths: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, slept = 100.0, list[float]()
    monkeypatch.setattr(realtime, "time", SimpleNamespace(monotonic=lambda: now, sleep=slept.append))
    breath = Breath()
    for _ in range(calls):
        breath.take()
        now += call_s
    assert slept == [BREATH_S] * breaths
    assert call_s * calls < STRETCH_S or breaths
