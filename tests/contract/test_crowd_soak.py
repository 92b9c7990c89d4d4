"""Thirty-six workers and all other roles at work without a pause, against a server of models in a process of its own:
the loop stays quick, nothing grows, every reply is one booked row; and the same while the server breaks."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from roles import casting
from roles.lag import LoopLag
from roles.model_architect import ModelArchitect
from roles.model_strategist import ModelStrategist
from store import agents
from tests.contract.test_crowd_and_faults import Crowd
from tests.end_to_end import many_agents as many
from tests.unit.roles.pipeline_rig import make_rig

MINUTES = float(os.environ.get("KW_TEST_MINUTES", "10"))
NAMES = {"strategist": "strategist", "architect": "architect-gemv", "owner": "owner-gemv", "auditor": "auditor-2"}
LATENCY_MS = "2500"  # 36 requests in so long: the server's journal holds 10,000
pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]


def memory() -> int:
    """Bytes of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


class Soak:
    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.lag = LoopLag()
        self.grown: list[tuple[float, int, int, int]] = []
        self.served = 0
        self.stopped_at = 0.0

    @property
    def heard(self) -> set[str]:
        """Roles that have sent a request."""
        return {row.role for row in self.crowd.rows}

    async def run(self, goes_on: "GoesOn") -> None:
        campaign, started = self.crowd.rig.campaign, time.monotonic()
        for role, name in NAMES.items():
            await campaign.store.write(lambda s, r=role, n=name: agents.upsert_agent(s, campaign.id, n, r))
        lag = asyncio.create_task(self.lag.run())
        at_work = [asyncio.create_task(self._again(lambda n=n: self._serve(n))) for n in range(36)]
        at_work += [asyncio.create_task(self._again(body, 1.0)) for body in self._others()]
        while goes_on(self, time.monotonic() - started):
            await asyncio.sleep(1.0)
            files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
            self.grown.append((time.monotonic() - started, memory(), files, len(asyncio.all_tasks())))
        self.stopped_at = time.time()
        campaign.stop.set()
        await asyncio.wait_for(asyncio.gather(*at_work), 120)
        lag.cancel()
        await self.crowd.models.close()

    async def _again(self, body: Callable[[], Awaitable[object]], pause: float = 0.0) -> None:
        while not self.crowd.rig.campaign.stop.is_set():
            await body()
            await asyncio.sleep(pause)

    async def _serve(self, number: int) -> None:
        await self.crowd.serve(number)
        self.served += 1

    def _others(self) -> list[Callable[[], Awaitable[object]]]:
        campaign, models = self.crowd.rig.campaign, self.crowd.models
        strategist, architect = ModelStrategist(campaign, models), ModelArchitect(campaign, "gemv", models)
        owner, (reader,) = casting.owner(campaign, "gemv"), casting.readers(campaign)

        async def reads() -> None:
            await reader.read(await reader.unread())

        return [lambda: strategist.round("it is time"), lambda: architect.round("it is time"), owner.run, reads]

    def growth(self, share: float) -> tuple[float, int, int]:
        """Memory at the end over memory after this share of the time; files and tasks more than then."""
        then, now = self.grown[int(share * len(self.grown))], self.grown[-1]
        return now[1] / then[1], now[2] - then[2], now[3] - then[3]


GoesOn = Callable[[Soak, float], bool]
"""By what was seen and the seconds since the start."""


async def soaked(home: Path, server: many.Server, goes_on: GoesOn, stall_s: float) -> Soak:
    rig = await make_rig(home)
    roles = ("worker", *NAMES)
    soak = Soak(Crowd(rig, lambda kind: server.url + many.PATHS[kind], roles, stall_s))
    await soak.run(goes_on)
    found, verdict = many.held(soak.crowd.rows, server), server.ask("verdict")
    print(f"{soak.served} briefs; {found.text}", soak.lag.text, verdict, f"grown {soak.growth(0.3)}", sep="\n")
    assert (verdict["passed"], verdict["errors"], verdict["warnings"]) == (True, 0, 0), verdict
    assert found.fits, found.text
    cut = [row for row in found.calls if row.state != "done"]
    assert {row.state for row in cut} <= {"cancelled"}  # by the stop: they were on their way then
    assert all(soak.stopped_at < row.started_at + row.seconds for row in cut)
    assert all(found.by_role.values()), found.by_role
    return soak


async def test_without_a_pause(tmp_path: Path) -> None:
    with many.serving(tmp_path / "llmock.log", "--latency-ms", LATENCY_MS) as server:
        soak = await soaked(tmp_path / "home", server, lambda _, seconds: seconds < 60 * MINUTES, 60.0)
    memory_grown, files, tasks = soak.growth(0.3)
    assert memory_grown < 1.3
    assert files < 60
    assert tasks < 100
    assert soak.lag.data["within"], soak.lag.text


async def test_while_the_server_breaks_in_every_way(tmp_path: Path) -> None:
    with many.serving(tmp_path / "llmock.log", "--latency-ms", "100", "--stream-chunk-delay-ms", "200") as server:
        breaking = many.Breaking(server)
        breaking.start()

        def goes_on(soak: Soak, seconds: float) -> bool:
            return breaking.is_alive() or (seconds < 60 * MINUTES and not soak.heard.issuperset(("worker", *NAMES)))

        await soaked(tmp_path / "home", server, goes_on, 10.0)
    print(breaking.met)
    assert breaking.met == dict.fromkeys(many.FAULTS, many.TIMES)
