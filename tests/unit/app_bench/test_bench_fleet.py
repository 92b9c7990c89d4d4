"""What `bench fleet` says of its rounds, and of devices that it cannot ask."""

from pathlib import Path

import pytest

from app.bench import fleet
from app.settings import UsageError


def test_rates_and_their_ratio_round_by_round() -> None:
    found = fleet.told([(60.0, 120.0), (50.0, 75.0), (80.0, 144.0)])
    assert found["alone"] == {"median": 60.0, "low": 50.0, "high": 80.0}
    assert found["together"] == {"median": 120.0, "low": 75.0, "high": 144.0}
    assert found["ratio"] == pytest.approx({"median": 1.8, "low": 1.5, "high": 2.0})
    said = fleet.text({"kernel": "axpy_gemv/gemv", "devices": ["one", "two"], "pairs": 20, **found})
    assert "device alone: 60.0 (50.0 .. 80.0) pairs a minute" in said
    assert (
        "2 devices together (one, two): 120.0 (75.0 .. 144.0) pairs a minute, 1.80 (1.50 .. 2.00) times as many" in said
    )


@pytest.mark.parametrize(("devices", "says"), [((), "give --device"), (("dask",), "no device 'dask'")])
def test_without_a_device_that_it_knows_it_says_what_to_give(
    tmp_path: Path, devices: tuple[str, ...], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        fleet.run(fleet.Order(tmp_path, "gemv", devices, 4, print))
