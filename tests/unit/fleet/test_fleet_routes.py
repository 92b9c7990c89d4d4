"""Where a fleet sends what: homes, pinned tests, canaries, and devices that come and go."""

from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kernels.device.executor import DeviceUse
from kernels.device.report import DeviceUnhealthy, Health
from kernels.fleet import member
from kernels.fleet.fleet import Fleet


@dataclass
class Scripted:
    """A device that does what it is asked, or fails as `fails` says. said: what it was asked, in order."""

    name: str
    said: list[tuple[str, Any]] = field(default_factory=list)
    fails: Callable[[str], None] = lambda _: None
    well: bool = True
    holder: str = ""
    queue: tuple[str, ...] = ()
    level: str = "bwrap"
    last_hold_s: float = 0.5
    busy_seconds: float = 2.0
    jobs: int = 0
    spent: dict[str, float] = field(default_factory=lambda: {"pair": 1.0})

    @property
    def place(self) -> Any:
        return SimpleNamespace(name=self.name)

    def _did(self, what: str, of: Any) -> None:
        self.jobs += 1
        self.said.append((what, of))
        self.fails(what)

    async def load(self, kernel: str, key: str, artefact: Path) -> None:
        self._did("load", key)

    async def unload(self, key: str) -> None:
        self.said.append(("unload", key))

    async def restart(self, key: str) -> None:
        self._did("restart", key)

    async def request(self, op: str, holder: str, kernel: str = "", **args: Any) -> Any:
        self._did(op, args)
        return (
            {"ok": True, "kind": "", "reason": "", "facts": {}, "findings": [], "seconds": 0.0}
            if op == "check"
            else None
        )

    async def health(self, kernel: str = "") -> Health:
        self.said.append(("health", kernel))
        return Health(self.well, "canary", {})

    def uses(self) -> tuple[DeviceUse, ...]:
        return (DeviceUse(self.name, self.jobs, self.busy_seconds, 0.0),)

    async def kill_all(self) -> None:
        self.said.append(("kill", ""))

    async def close(self) -> None:
        self.said.append(("close", ""))

    @asynccontextmanager
    async def host(self, holder: str) -> Any:
        yield


@pytest.fixture
def two() -> tuple[Scripted, Scripted]:
    return Scripted("one"), Scripted("two")


@pytest.fixture
async def fleet(two: tuple[Scripted, Scripted]) -> Fleet:
    made = Fleet(two)  # ty: ignore[invalid-argument-type]
    await made.load("mv", "head", Path("/h.so"))
    return made


def unhealthy(_: str) -> None:
    raise DeviceUnhealthy("no answer")


async def test_candidates_spread_and_their_tests_stay_where_they_live(
    fleet: Fleet, two: tuple[Scripted, Scripted]
) -> None:
    one, other = two
    await fleet.load("mv", "a", Path("/a.so"))
    assert [m.homes for m in fleet.members] == [{"head"}, {"a"}]
    test = await fleet.begin_test("mv", "head", "a")
    await fleet.request("pair", "pair", test=test, first="head", head_ns=1.0)
    assert [what for what, _ in other.said] == ["load", "load", "begin_test", "pair"]
    assert [what for what, _ in one.said] == ["load"]
    assert fleet.last_hold_s == 0.5 and fleet.spent == {"pair": 2.0} and fleet.busy_seconds == 2.0


async def test_a_restart_reaches_every_process_of_a_key(fleet: Fleet, two: tuple[Scripted, Scripted]) -> None:
    await fleet.load("mv", "a", Path("/a.so"))
    await fleet.begin_test("mv", "head", "a")
    await fleet.restart("head")
    assert all(("restart", "head") in device.said for device in two)
    await fleet.unload("head")
    assert all(("unload", "head") in device.said for device in two)


async def test_a_failure_that_the_canary_survives_leaves_the_device(
    fleet: Fleet, two: tuple[Scripted, Scripted]
) -> None:
    await fleet.load("mv", "a", Path("/a.so"))
    two[1].fails = unhealthy
    with pytest.raises(DeviceUnhealthy, match="no answer"):
        await fleet.check("mv", "a")
    assert fleet.members[1].well and ("health", "") in two[1].said


async def test_a_sick_device_is_left_out_and_its_candidates_move(
    fleet: Fleet, two: tuple[Scripted, Scripted], monkeypatch: pytest.MonkeyPatch
) -> None:
    await fleet.load("mv", "a", Path("/a.so"))
    two[1].fails, two[1].well = unhealthy, False
    with pytest.raises(DeviceUnhealthy):
        await fleet.check("mv", "a")
    sick = fleet.members[1]
    assert (sick.well, sick.unhealthy_since, sick.homes) == (False, 2, set())
    assert sick.use.unhealthy == "since job 2: no answer; canary: canary"
    assert (await fleet.check("mv", "a")).ok and fleet.members[0].homes == {"head", "a"}
    two[1].fails = lambda _: None
    monkeypatch.setattr(member, "RETRY_S", -1.0)
    await fleet.load("mv", "b", Path("/b.so"))
    assert sick.well and sick.homes == {"b"}


async def test_when_none_is_well_everybody_is_named(fleet: Fleet, two: tuple[Scripted, Scripted]) -> None:
    for device in two:
        device.fails, device.well = unhealthy, False
    for _ in two:
        with pytest.raises(DeviceUnhealthy):
            await fleet.load("mv", "a", Path("/a.so"))
    with pytest.raises(DeviceUnhealthy, match=r"one: unhealthy since job \d.*two: unhealthy since job \d"):
        await fleet.load("mv", "a", Path("/a.so"))


async def test_a_kill_is_no_illness(fleet: Fleet, two: tuple[Scripted, Scripted]) -> None:
    await fleet.load("mv", "a", Path("/a.so"))

    def killed(_: str) -> None:
        fleet._kills += 1
        raise DeviceUnhealthy("killed in checking")

    two[1].fails = killed
    with pytest.raises(DeviceUnhealthy, match="killed"):
        await fleet.check("mv", "a")
    assert fleet.members[1].well and ("health", "") not in two[1].said


async def test_the_way_to_the_devices_is_closed_after_them(two: tuple[Scripted, Scripted]) -> None:
    order: list[str] = []

    async def closing() -> None:
        order.extend(what for device in two for what, _ in device.said)

    made = Fleet(two, closing)  # ty: ignore[invalid-argument-type]
    await made.close()
    assert order == ["close", "close"]
