"""The operator's `profile`, and the role that profiles heads that have stood; device and compiler are scripted."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernels.profiling.trace import Trace, call_of
from roles import profiler
from roles.operator import Refused
from roles.operator_profile import ProfileCommand
from roles.profiler import Profiler
from roles.profiling import ProfileFailed, profiled
from store import profiles, reads
from store.profile_views import ProfileView
from tests.unit.profiling.timelines import two_loops
from tests.unit.roles.pipeline_rig import BASE, SPEC, Rig, make_rig, variant

FASTER = variant("/* faster */ int faster;")


def trace(ns: float = 1000.0) -> Trace:
    return Trace(tuple(call_of(turn, ns, two_loops(), 2) for turn in range(3)), 10.0, "slow")


class Scripted:
    """caught: what becomes of a side."""

    def __init__(self, rig: Rig, caught: Mapping[str, tuple[str, str]] | None = None) -> None:
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        self.caught = dict(caught or {})
        rig.device.__dict__["profile"] = self.profile

    async def profile(self, kernel: str, sides: Mapping[str, Path], **_: int) -> dict[str, Trace]:
        self.asked.append((kernel, tuple(sides)))
        return {side: replace(trace(), caught=self.caught.get(side, ("", ""))) for side in sides}


@pytest.fixture
async def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rig:
    monkeypatch.setattr(profiler, "TICK_S", 0.001)
    return await make_rig(tmp_path)


def latest(rig: Rig) -> ProfileView | None:
    found = rig.read(lambda s: profiles.latest(s, rig.campaign.id, "gemv"))
    assert found is None or isinstance(found, ProfileView)
    return found


def told(rig: Rig) -> list[str]:
    return [e.text for e in rig.read(lambda s: reads.events(s, rig.campaign.id, 0, 99)) if e.kind == "profile"]


async def asked(rig: Rig, **arguments: Any) -> Any:
    return json.loads(await ProfileCommand(rig.campaign, rig.pipeline).command("gemv", arguments))


async def test_the_head_is_profiled_at_the_operators_word(rig: Rig) -> None:
    device = Scripted(rig)
    found = await asked(rig)
    assert device.asked == [("gemv", ("head",))]
    assert found["gates"] == []
    view = latest(rig)
    assert view is not None
    assert (view.present, view.record.head.candidate, view.record.candidate) == (True, BASE.id, None)
    assert rig.read(lambda s: profiles.read(s, found["artefact"])) == view.record


async def test_a_source_goes_through_the_gates_and_then_beside_the_head(rig: Rig) -> None:
    device = Scripted(rig)
    found = await asked(rig, source=FASTER.source)
    assert device.asked == [("gemv", ("head", "candidate"))]
    assert [gate["gate"] for gate in found["gates"]] == ["source", "legality", "compile", "estimate", "correct"]
    view = latest(rig)
    assert view is not None
    assert view.record.shown.candidate == FASTER.id


async def test_a_refused_source_is_not_profiled(tmp_path: Path) -> None:
    rig = await make_rig(tmp_path, {"correct": {FASTER.id: "wrong_values"}})
    device = Scripted(rig)
    found = await asked(rig, source=FASTER.source)
    assert (found["artefact"], device.asked, told(rig)) == (None, [], [])
    assert found["gates"][-1]["kind"] == "wrong_values"


async def test_whose_failure_it_was(rig: Rig) -> None:
    Scripted(rig, {"candidate": ("crash", "signal 11")})
    found = await asked(rig, source=FASTER.source)
    assert (found["artefact"], found["reason"]) == (None, "the candidate has no profile: crash: signal 11")
    Scripted(rig, {"head": ("hang", "no answer")})
    with pytest.raises(Refused, match="the head has no profile: hang: no answer"):
        await asked(rig)
    with pytest.raises(ProfileFailed) as failure:
        await profiled(rig.campaign, SPEC, BASE)
    assert failure.value.whose == "head"
    with pytest.raises(Refused, match="no kernel 'other' here"):
        await ProfileCommand(rig.campaign, rig.pipeline).command("other", {})


async def test_a_head_that_has_stood_is_profiled_once(rig: Rig) -> None:
    device, now = Scripted(rig), [0.0]
    rig.campaign.clock = lambda: now[0]
    task = asyncio.create_task(Profiler(rig.campaign).run())
    await asyncio.sleep(0.05)
    assert device.asked == []
    now[0] = profiler.STANDS_S + 1.0
    while not told(rig):  # noqa: ASYNC110 - nothing tells when a row is there
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    assert len(device.asked) == 1
    rig.campaign.request_stop("seen")
    await task
    await Profiler(rig.campaign).look("gemv", rig.state)
    assert len(device.asked) == 1


async def test_a_head_that_cannot_be_profiled_is_said_once(rig: Rig) -> None:
    device = Scripted(rig, {"head": ("crash", "signal 11")})
    role = Profiler(rig.campaign)
    await role.look("gemv", rig.state)
    assert told(rig) == ["the head has no profile: crash: signal 11"]
    assert len(device.asked) == 1


async def test_a_paused_kernel_is_left_alone(rig: Rig) -> None:
    device, now = Scripted(rig), [0.0]
    rig.campaign.clock = lambda: now[0]
    await rig.campaign.latches.close("gemv")
    task = asyncio.create_task(Profiler(rig.campaign).run())
    await asyncio.sleep(0.02)
    now[0] = profiler.STANDS_S + 1.0
    await asyncio.sleep(0.05)
    rig.campaign.request_stop("seen")
    await task
    assert device.asked == []
