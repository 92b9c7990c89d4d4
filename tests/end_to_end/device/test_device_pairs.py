"""Pairs, tests and peaks on real runners."""

import math
import statistics

import pytest

from kernels.device.client import Device, DeviceUnhealthy, HeadFailed, RunnerFailed
from tests.end_to_end.device.tiny import HONEST, SIGNATURE, Build

HEAD_NS = 2e6  # few calls a reading
LATE = "static int n;" + SIGNATURE + "{ if (n++ < 12) honest(W, b, x, y); }"
OVERRUNS = SIGNATURE + "{ honest(W, b, x, y); y[M + 4] = 1; }"
HANGS = "static int n;" + SIGNATURE + "{ honest(W, b, x, y); if (n++ > 5) for (volatile int i = 0;; i++); }"


async def _loaded(device: Device, build: Build, candidate: str) -> str:
    await device.load("mv", "head", build("mv", HONEST))
    await device.load("mv", "candidate", build("mv", candidate))
    return await device.begin_test("mv", "head", "candidate")


async def test_a_placebo_is_near_the_head_and_carries_its_evidence(device: Device, build: Build) -> None:
    test = await _loaded(device, build, HONEST)
    pairs = [await device.pair(test, "head" if i % 2 else "candidate", HEAD_NS) for i in range(6)]
    report = await device.end_test(test)
    assert report.ok
    assert report.facts["timed_calls_verified"] >= 12
    assert all(pair.valid and pair.head.calls == 20 for pair in pairs)
    assert abs(statistics.median(pair.log_ratio for pair in pairs)) < 0.5
    assert {"load", "foreign", "realtime", "level", "pages", "round_trip_ns"} <= pairs[0].environment.keys()
    assert any(pair.probe_before_gbs > 0 and pair.probe_after_gbs > 0 for pair in pairs)  # one may be lost in a trip
    assert device.busy_seconds > 0
    assert device.holder == ""


async def test_a_head_is_measured_against_itself(device: Device, build: Build) -> None:
    await device.load("mv", "head", build("mv", HONEST))
    test = await device.begin_test("mv", "head", "head")
    assert (await device.pair(test, "head", HEAD_NS)).valid
    assert (await device.end_test(test)).ok


async def test_timed_outputs_are_verified(device: Device, build: Build) -> None:
    test = await _loaded(device, build, LATE)
    for _ in range(5):
        await device.pair(test, "head", HEAD_NS)
    report = await device.end_test(test)
    assert report.kind in ("not_written", "below_floor")
    assert report.facts["side"] == "candidate"


async def test_a_reading_below_the_floor_is_in_quarantine(device: Device, build: Build) -> None:
    await device.peak("big")
    await device.load("big", "head", build("big", HONEST))
    await device.load("big", "candidate", build("big", SIGNATURE + "{ }"))
    test = await device.begin_test("big", "head", "candidate")
    pair = await device.pair(test, "head", HEAD_NS)
    report = await device.end_test(test)
    assert math.isnan(pair.candidate.ns)
    assert not pair.valid
    assert "below_floor" in pair.environment["quarantine"]
    assert report.kind == "below_floor"


async def test_a_hang_in_a_reading_is_named_and_binds_the_candidate(device: Device, build: Build) -> None:
    test = await _loaded(device, build, HANGS)
    with pytest.raises(RunnerFailed) as failure:
        await device.pair(test, "candidate", HEAD_NS)
    assert failure.value.kind == "hang"
    again = await device.begin_test("mv", "head", "head")
    assert (await device.pair(again, "head", HEAD_NS)).valid


async def _against(device: Device, build: Build, head: str) -> str:
    await device.load("mv", "head", build("mv", head))
    await device.load("mv", "candidate", build("mv", HONEST))
    return await device.begin_test("mv", "head", "candidate")


@pytest.mark.parametrize(("body", "kind"), [(HANGS, "hang"), (OVERRUNS, "out_of_bounds")])
async def test_a_head_that_fails_in_a_reading_is_told_from_the_candidate(
    device: Device, build: Build, body: str, kind: str
) -> None:
    test = await _against(device, build, body)
    with pytest.raises(HeadFailed) as failure:
        await device.pair(test, "candidate", HEAD_NS)
    assert failure.value.kind == kind
    again = await device.begin_test("mv", "candidate", "candidate")
    assert (await device.pair(again, "head", HEAD_NS)).valid


async def test_a_head_whose_timed_outputs_are_wrong_is_told_from_the_candidate(device: Device, build: Build) -> None:
    test = await _against(device, build, LATE)
    for _ in range(5):
        await device.pair(test, "head", HEAD_NS)
    with pytest.raises(HeadFailed) as failure:
        await device.end_test(test)
    assert failure.value.kind == "not_written"
    assert "a timed call" in failure.value.detail


async def test_a_head_that_is_its_own_candidate_fails_as_the_candidate(device: Device, build: Build) -> None:
    await device.load("mv", "head", build("mv", HANGS))
    test = await device.begin_test("mv", "head", "head")
    with pytest.raises(RunnerFailed):
        await device.pair(test, "head", HEAD_NS)


async def test_peaks_never_get_slower(device: Device) -> None:
    first = await device.peak("mv")
    second = await device.peak("mv")
    assert len(first.styles) >= 4
    assert first.gbs > 0
    assert second.mode != first.mode or second.gbs >= first.gbs
    assert await device.round_trip() > 0


async def test_requests_that_make_no_sense_are_refused(device: Device) -> None:
    with pytest.raises(DeviceUnhealthy, match="nothing is loaded"):
        await device.check("mv", "absent")
    with pytest.raises(DeviceUnhealthy, match="unknown"):
        await device.pair("absent", "head", HEAD_NS)
