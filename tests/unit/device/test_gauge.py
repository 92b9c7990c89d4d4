"""The floor: nobody is called too fast before the device was measured in full."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from typing_extensions import override

from kernels.device.gauge import Gauge
from kernels.device.memory import Memory
from kernels.device.report import PeakReport

NBYTES = 2_000_000


class Measured(Gauge):
    """A gauge on a device that reads 180 GB/s when all styles are asked, whatever a few calls said."""

    peaks = 0

    @override
    def peak(self, *, fifo: bool) -> PeakReport:
        self.peaks += 1
        return PeakReport(NBYTES / 180, 180.0, "a", {"a": 180.0, "b": 150.0}, "unknown")


def gauge(folder: Path, *, weights: bool = True) -> Measured:
    spec = SimpleNamespace(pack="small", name="mv", bytes_moved=NBYTES)
    contender: Any = SimpleNamespace()
    station: Any = SimpleNamespace(spec=spec)
    return Measured(station, {"a": contender} if weights else {}, contender, Memory(folder / "memory.json"))


def test_a_believable_reading_costs_no_probe(tmp_path: Path) -> None:
    found = gauge(tmp_path)
    assert found.unbelievable(NBYTES / 60, 51.0, fifo=False) == ""
    assert found.peaks == 0


def test_a_few_slow_calls_of_one_style_accuse_nobody(tmp_path: Path) -> None:
    found = gauge(tmp_path)
    assert found.unbelievable(NBYTES / 123, 51.0, fifo=False) == ""
    assert found.peaks == 1


def test_faster_than_every_style_is_told_with_the_arithmetic(tmp_path: Path) -> None:
    why = gauge(tmp_path).unbelievable(NBYTES / 400, 51.0, fifo=False)
    assert "400.0 GB/s; the best probe read 180.0 GB/s" in why


def test_without_weights_only_the_clock_is_a_floor(tmp_path: Path) -> None:
    found = gauge(tmp_path, weights=False)
    assert found.unbelievable(60.0, fifo=False) == ""
    assert "clock" in found.unbelievable(20.0, fifo=False)
    assert found.peaks == 0
