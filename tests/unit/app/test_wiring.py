"""However an engine ends, its campaign is finished or can be resumed."""

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.wiring import run_blocking, run_engine
from kernels.device.client import DeviceUnhealthy
from knowledge.skills.skill import SkillFileError
from roles.bootstrap import BaselineRefused
from store import reads
from store.views import OverviewView
from tests.unit.app.starting import Place, StubDevice


def use_device(monkeypatch: pytest.MonkeyPatch, device: StubDevice) -> None:
    async def start(*_: object, **__: object) -> StubDevice:
        return device

    monkeypatch.setattr("app.devices.Device.start", start)


def use_bootstrap(monkeypatch: pytest.MonkeyPatch, run: Any) -> None:
    class Scripted:
        def __init__(self, *_: object) -> None: ...

        async def run(self, _: object) -> None:
            await run()

    monkeypatch.setattr("roles.main.Bootstrap", Scripted)


def last_told(place: Place, number: int) -> str:
    told = [e.text for e in place.write(lambda s: reads.events(s, number)) if e.kind == "campaign"]
    return str(told[-1])


@pytest.mark.parametrize(
    "failure", [DeviceUnhealthy("no referee"), BaselineRefused("wrong"), RuntimeError("a fault"), OSError("disk")]
)
async def test_an_error_leaves_it_resumable(place: Place, monkeypatch: pytest.MonkeyPatch, failure: Exception) -> None:
    device, ready = StubDevice(), []
    use_device(monkeypatch, device)

    async def fail() -> None:
        raise failure

    use_bootstrap(monkeypatch, fail)
    with pytest.raises(type(failure)):
        await run_engine(place.job(pack="axpy_gemv"), ready.append, asyncio.Event())
    assert device.closed.is_set()
    assert place.row(ready[0]).state == "interrupted"
    assert str(failure) in last_told(place, ready[0])
    assert str(failure) in place.row(ready[0]).stopped_because
    assert place.begin().id == ready[0]
    assert place.row(ready[0]).stopped_because == ""


async def test_a_device_that_does_not_start_leaves_it_resumable(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    async def start(*_: object, **__: object) -> StubDevice:
        raise DeviceUnhealthy("no compiler")

    ready: list[int] = []
    monkeypatch.setattr("app.devices.Device.start", start)
    with pytest.raises(DeviceUnhealthy):
        await run_engine(place.job(pack="axpy_gemv"), ready.append, asyncio.Event())
    assert place.row(ready[0]).state == "interrupted"


async def test_an_engine_is_heard_while_its_device_starts(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    ready: list[int] = []
    seen: list[OverviewView] = []

    async def start(*_: object, **__: object) -> StubDevice:
        seen.append(place.write(lambda s: reads.overview(s, ready[0])))
        raise DeviceUnhealthy("no compiler")

    monkeypatch.setattr("app.devices.Device.start", start)
    with pytest.raises(DeviceUnhealthy):
        await run_engine(place.job(pack="axpy_gemv"), ready.append, asyncio.Event())
    assert seen[0].engine is not None and seen[0].engine.alive and seen[0].attention == ()


async def test_an_interrupt_while_the_device_starts(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    keyboard, cancelled = asyncio.Event(), asyncio.Event()

    async def start(*_: object, **__: object) -> StubDevice:
        keyboard.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        raise AssertionError

    monkeypatch.setattr("app.devices.Device.start", start)
    number = await run_engine(place.job(pack="axpy_gemv"), lambda _: None, keyboard)
    assert cancelled.is_set()
    assert place.row(number).state == "interrupted"


async def test_a_device_that_came_up_too_late_is_closed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    keyboard, device = asyncio.Event(), StubDevice()
    keyboard.set()
    use_device(monkeypatch, device)
    number = await run_engine(place.job(pack="axpy_gemv"), lambda _: None, keyboard)
    assert place.row(number).state == "interrupted"


async def test_an_interrupt_during_the_bootstrap_ends_it(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    keyboard, device = asyncio.Event(), StubDevice()
    use_device(monkeypatch, device)

    async def wait() -> None:
        keyboard.set()
        await asyncio.Event().wait()

    use_bootstrap(monkeypatch, wait)
    number = await run_engine(place.job(pack="axpy_gemv"), lambda _: None, keyboard)
    row = place.row(number)
    assert (row.state, row.stopped_because) == ("finished", "stopped at the keyboard")
    assert device.closed.is_set()


async def test_a_trajectory_is_left_to_be_resumed_by_an_interrupt(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyboard, device = asyncio.Event(), StubDevice()
    use_device(monkeypatch, device)

    async def wait() -> None:
        keyboard.set()
        await asyncio.Event().wait()

    use_bootstrap(monkeypatch, wait)
    job = replace(place.job(pack="axpy_gemv"), suspends=True)
    row = place.row(await run_engine(job, lambda _: None, keyboard))
    assert (row.state, row.stopped_because) == ("interrupted", "suspended at the keyboard")
    assert device.closed.is_set()


async def test_an_interrupt_that_also_breaks_the_bootstrap_is_no_error(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyboard = asyncio.Event()
    use_device(monkeypatch, StubDevice())

    async def fail() -> None:
        keyboard.set()
        raise DeviceUnhealthy("the referee ended")

    use_bootstrap(monkeypatch, fail)
    number = await run_engine(place.job(pack="axpy_gemv"), lambda _: None, keyboard)
    assert place.row(number).state in ("interrupted", "finished")


async def test_being_cut_off_leaves_it_resumable(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    device, waiting, ready = StubDevice(), asyncio.Event(), []
    use_device(monkeypatch, device)

    async def wait() -> None:
        waiting.set()
        await asyncio.Event().wait()

    use_bootstrap(monkeypatch, wait)
    run = asyncio.create_task(run_engine(place.job(pack="axpy_gemv"), ready.append, asyncio.Event()))
    await waiting.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert (place.row(ready[0]).state, last_told(place, ready[0])) == (
        "interrupted", "interrupted: cut off at the keyboard",
    )  # fmt: skip
    assert device.closed.is_set()


async def test_a_pause_reaches_the_roles(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    from store import campaigns

    number = place.begin(pack="axpy_gemv").id
    place.write(lambda s: campaigns.set_state(s, number, "paused"))
    use_device(monkeypatch, StubDevice())
    seen: list[bool] = []

    class Watching:
        def __init__(self, campaign: Any, *_: object) -> None:
            self._campaign = campaign

        async def run(self, _: object) -> None:
            seen.append(self._campaign.paused_at_start)

    monkeypatch.setattr("app.wiring.Main", Watching)
    await run_engine(place.job(), lambda _: None, asyncio.Event())
    assert seen == [True]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_device_starts_is_a_clean_end(
    place: Place, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    async def start(*_: object, **__: object) -> Path:
        os.kill(os.getpid(), number)
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr("app.devices.Device.start", start)
    campaign = run_blocking(place.job(pack="axpy_gemv"), lambda _: None)
    assert place.row(campaign).state == "interrupted"


async def test_a_broken_skill_is_named_before_anything_starts(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    (place.job().workspace / "skills").mkdir(parents=True)
    (place.job().workspace / "skills" / "mine.md").write_text("# no front matter\n")
    use_device(monkeypatch, StubDevice())
    with pytest.raises(SkillFileError, match=r"mine\.md: it begins with '# no front matter'"):
        await run_engine(place.job(pack="axpy_gemv"), lambda _: None, asyncio.Event())
    assert not (place.home / "kernelwright.db").is_file()


async def test_switched_off_knowledge_reaches_the_roles_and_the_log(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_device(monkeypatch, StubDevice())
    seen: list[Any] = []

    class Watching:
        def __init__(self, campaign: Any, gates: Any, *_: object) -> None:
            seen.append(campaign.policy)

        async def run(self, _: object) -> None:
            return

    monkeypatch.setattr("app.wiring.Main", Watching)
    number = await run_engine(place.job(pack="axpy_gemv", knowledge=False), lambda _: None, asyncio.Event())
    assert [(p.memory.on, p.rules, p.skills, p.priors, p.sheet) for p in seen] == [(False,) * 5]
    assert place.row(number).options["knowledge"] is False
    said = place.write(lambda s: [e.text for e in reads.events(s, number, after=0) if e.kind == "knowledge"])
    assert len(said) == 1
    assert said[0].startswith("knowledge is off")
