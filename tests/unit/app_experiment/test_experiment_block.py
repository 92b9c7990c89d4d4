"""The final block: who failed is measured once more, and nothing is said where the start fails beside itself."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from app.bench.search.device import SharedDevice
from app.bench.search.final import TWIN, Scored
from app.experiment.block import patiently
from kernels.device.client import Device
from kernels.device.report import DeviceUnhealthy
from kernels.values.candidate import Candidate

ONE, OTHER = (Candidate("gemv", {"kernel.c": f"{name}\n"}) for name in ("one", "other"))
WANTED = {"one": ONE, "other": OTHER}
GOOD = (0.5,) * 6


@dataclass
class Scripted:
    """problems: of each run in turn, by id."""

    problems: list[dict[str, str]]
    unread: str = ""
    asked: list[list[str]] = field(default_factory=list)

    async def run(self, heads: Mapping[str, Candidate]) -> dict[str, Scored]:
        self.asked.append(sorted(heads))
        now = self.problems[len(self.asked) - 1]
        return {key: Scored(now.get(key, ""), list(GOOD), unread=key == self.unread) for key in (TWIN, *heads)}


def test_the_block_s_device_is_made_as_every_device_is() -> None:
    ways = [inspect.signature(one.__init__).parameters for one in (SharedDevice, Device)]
    assert list(ways[0]) == list(ways[1])


async def test_what_goes_well_is_measured_once() -> None:
    block, said = Scripted([{}]), list[str]()
    found = await patiently(block, WANTED, "gemv", said.append)
    assert (sorted(found), block.asked) == (["one", "other"], [["one", "other"]])
    assert said == ["  the start of gemv against itself: 1.65x (1.65 .. 1.65)"]


async def test_who_failed_is_measured_again_and_what_stays_failed_says_why() -> None:
    block = Scripted([{"one": "protocol: busy", "other": "crash"}, {"other": "crash"}, {"other": "crash again"}])
    found = await patiently(block, WANTED, "gemv", lambda _: None)
    assert block.asked == [["one", "other"], ["one", "other"], ["other"]]
    assert (found["one"].problem, found["other"].problem) == ("", "crash again")


async def test_a_start_that_fails_beside_itself_ends_the_block() -> None:
    block = Scripted([{TWIN: "protocol: late"}] * 3)
    with pytest.raises(DeviceUnhealthy, match=r"gemv fails beside itself \(protocol: late\)"):
        await patiently(block, WANTED, "gemv", lambda _: None)
    assert block.asked == [["one", "other"], [], []]


async def test_a_head_that_cannot_be_read_is_no_head_as_fast_as_its_start() -> None:
    block = Scripted([{"one": "no figure: 0 of 12 pairs could be used"}] * 3, unread="one")
    with pytest.raises(DeviceUnhealthy, match=r"1 head of gemv cannot be read \(no figure: 0 of 12"):
        await patiently(block, WANTED, "gemv", lambda _: None)
    assert block.asked == [["one", "other"], ["one"], ["one"]]
