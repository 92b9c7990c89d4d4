"""Blocks of a race on real runners: what is read, who drops out, what is verified."""

import math

import pytest

from kernels.device.client import Device, DeviceUnhealthy, HeadFailed
from tests.end_to_end.device.tiny import HONEST, SIGNATURE, Build

HEAD_NS = 2e6  # few calls a reading
FOURFOLD = SIGNATURE + '{ for (int i = 0; i < 4; i++) { honest(W, b, x, y); __asm__ volatile("" ::: "memory"); } }'
OVERRUNS = SIGNATURE + "{ honest(W, b, x, y); y[M + 4] = 1; }"
WRONG = "static int n;" + SIGNATURE + "{ honest(W, b, x, y); if (n++ > 3) y[7] += 1; }"


async def _race(device: Device, build: Build, head: str = HONEST, **variants: str) -> str:
    for key, body in {"head": head, **variants}.items():
        await device.load("mv", key, build("mv", body))
    return await device.begin_race("mv", "head", tuple(variants))


async def test_a_block_reads_the_head_and_every_variant_once_in_its_order(device: Device, build: Build) -> None:
    race = await _race(device, build, same=HONEST, slow=FOURFOLD)
    orders = [("slow", "head", "same"), ("head", "same", "slow"), ("same", "slow", "head")]
    blocks = [await device.block(race, order, HEAD_NS) for order in orders]
    assert [tuple(block.readings) for block in blocks] == orders
    assert all(reading.calls == 20 and reading.ns > 0 for block in blocks for reading in block.readings.values())
    assert all(block.readings["slow"].ns > 1.5 * block.readings["same"].ns for block in blocks)
    assert all(block.probe_before_gbs > 0 and block.mode and not block.dropped for block in blocks)
    assert {"load", "foreign", "realtime", "level", "round_trip_ns"} <= blocks[0].environment.keys()
    report = await device.end_race(race)
    assert (report.caught, report.blocks) == ({}, 3)
    assert report.verified >= 9
    assert device.holder == ""


async def test_who_misbehaves_or_is_wrong_drops_out_alone(device: Device, build: Build) -> None:
    race = await _race(device, build, good=HONEST, overruns=OVERRUNS, wrong=WRONG)
    first = await device.block(race, ("overruns", "wrong", "head", "good"), HEAD_NS)
    assert math.isnan(first.readings["overruns"].ns)
    assert {key: kind for key, (kind, _) in first.dropped.items()} == {"overruns": "out_of_bounds"}
    second = await device.block(race, ("head", "overruns", "good", "wrong"), HEAD_NS)
    assert set(second.readings) == {"head", "good", "wrong"}
    await device.unload("wrong")  # it fell: its calls stay in the sample
    assert set((await device.block(race, ("good", "head"), HEAD_NS)).readings) == {"head", "good"}
    report = await device.end_race(race)
    assert {key: kind for key, (kind, _) in report.caught.items()} == {
        "overruns": "out_of_bounds", "wrong": "wrong_values",
    }  # fmt: skip


@pytest.mark.parametrize("body", [OVERRUNS, WRONG])
async def test_a_failing_head_ends_the_race(device: Device, build: Build, body: str) -> None:
    race = await _race(device, build, body, good=HONEST)
    with pytest.raises(HeadFailed):
        await device.block(race, ("good", "head"), HEAD_NS)
        await device.end_race(race)


async def test_a_race_ends_with_its_head_or_its_referee(device: Device, build: Build) -> None:
    race = await _race(device, build, good=HONEST)
    await device.unload("head")
    with pytest.raises(DeviceUnhealthy, match="is unknown"):
        await device.block(race, ("head", "good"), HEAD_NS)
    race = await _race(device, build, good=HONEST)
    await device.kill_all()
    with pytest.raises(DeviceUnhealthy, match="is unknown"):
        await device.block(race, ("head", "good"), HEAD_NS)
