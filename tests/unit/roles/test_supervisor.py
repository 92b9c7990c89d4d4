"""A role that crashes is recorded and retried; a kill is final."""

import asyncio

import pytest

from roles import supervisor
from roles.supervisor import StopCampaign, supervise


@pytest.fixture(autouse=True)
def no_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "MAX_BACKOFF_S", 0.0)


class Log:
    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str]] = []

    async def __call__(self, name: str, state: str, detail: str) -> None:
        self.rows.append((name, state, detail))

    @property
    def states(self) -> list[str]:
        return [state for _, state, _ in self.rows]


async def test_a_crash_is_reported_with_its_place_and_retried() -> None:
    log, runs = Log(), []

    async def body() -> None:
        runs.append(1)
        if len(runs) < 3:
            raise ValueError("boom")

    await supervise("owner-gemv", body, log)
    assert log.states == ["working", "crashed", "working", "crashed", "working", "done"]
    assert "ValueError: boom at test_supervisor.py" in log.rows[1][2]


async def test_it_gives_up_and_says_so() -> None:
    log = Log()

    async def body() -> None:
        raise RuntimeError("always")

    await supervise("worker-01", body, log, restarts=2)
    assert log.states.count("crashed") == 3
    assert log.states[-1] == "gave_up"


async def test_a_cancel_is_never_swallowed_nor_retried() -> None:
    log = Log()

    async def body() -> None:
        await asyncio.sleep(60)

    task = asyncio.create_task(supervise("worker-01", body, log))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert "crashed" not in log.states


async def test_a_role_may_ask_for_the_end() -> None:
    async def body() -> None:
        raise StopCampaign("nothing left")

    with pytest.raises(StopCampaign, match="nothing left"):
        await supervise("strategist", body, Log())
