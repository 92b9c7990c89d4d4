"""Runs a set of supervised tasks by name: starts them, reports their states, kills one at once, ends all."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from roles.campaign import Campaign
from roles.latches import ALL
from roles.operator import Refused
from roles.supervisor import StopCampaign, supervise
from store import agents
from store.engine import Session

GRACE_S = 6.0


@dataclass(frozen=True, slots=True)
class Post:
    """One role to fill. kernel: the one that it serves, "" when it serves all."""

    name: str
    role: str
    kernel: str
    body: Callable[[], Awaitable[None]]


class Staff:
    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._killed: set[str] = set()

    async def start(self, posts: Sequence[Post]) -> None:
        campaign = self._campaign
        for post in posts:
            campaign.agent_names.add(post.name)
            campaign.resting.add(post.name)
            await campaign.store.write(
                lambda s, p=post: agents.upsert_agent(s, campaign.id, p.name, p.role, kernel=p.kernel, state="waiting")
            )
            self._tasks[post.name] = asyncio.create_task(self._supervised(post), name=post.name)

    async def kill(self, name: str) -> str:
        """Cancel one agent at once; for a kernel or all, the attempts at work, and pause what they were for.

        Raises: Refused when there is none of this name.
        """
        if name == ALL or name in self._campaign.kernels:
            return await self._kill_attempts(name)
        task = self._tasks.get(name)
        if task is None or task.done():
            living = ", ".join(n for n, t in self._tasks.items() if not t.done())
            raise Refused(f"no living agent is called {name!r}; living: {living or 'none'}")
        self._killed.add(name)
        await _cancelled([task])
        return f"{name} killed"

    async def _kill_attempts(self, name: str) -> str:
        """The workers stay: they take other briefs, or wait."""
        campaign = self._campaign
        await campaign.latches.close(name)
        hit = {who: at for who, at in campaign.serving.items() if name in (ALL, at.kernel)}
        await _cancelled([at.task for at in hit.values()])
        return f"{name} paused; killed the attempts of: {', '.join(hit) or 'nobody, none was at work'}"

    async def end(self, grace_s: float = GRACE_S) -> None:
        """Give attempts in hand a moment to finish, then cancel what is left."""
        campaign = self._campaign
        waiting = [task for task in self._tasks.values() if not task.done()]
        await campaign.notify()
        if waiting and grace_s and not campaign.stop_now:
            await asyncio.wait(waiting, timeout=grace_s)
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _supervised(self, post: Post) -> None:
        try:
            await supervise(post.name, post.body, self._report)
        except StopCampaign as stop:
            self._campaign.request_stop(str(stop))
        except asyncio.CancelledError:
            await asyncio.shield(self._report(post.name, "killed" if post.name in self._killed else "done", ""))
            raise

    async def _report(self, name: str, state: str, detail: str) -> None:
        campaign = self._campaign

        def rows(s: Session) -> None:
            agents.set_agent_state(s, campaign.id, name, state, detail)
            if detail:
                agents.add_line(s, campaign.id, name, detail)

        await campaign.store.write(rows)
        campaign.resting.discard(name)


async def _cancelled(tasks: "Sequence[asyncio.Task[Any]]") -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=GRACE_S)
