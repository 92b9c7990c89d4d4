"""Carries out the operator's commands from the command table: one path for every screen and script."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from roles.calibration import Calibrator
from roles.campaign import Campaign
from roles.choosing import CannotChoose, choose_compiler
from roles.guard import TODO, look, told
from roles.holding import Holding
from roles.latches import ALL, FOR_ALL, NEVER
from roles.shielding import complete
from roles.standstill import until_still
from roles.supervisor import crash_text
from store import campaigns, commands, toolchain
from store.tables import CommandRow

POLL_S = 0.1
Arguments = Mapping[str, Any]


class Refused(Exception):
    """The command cannot be carried out; the reason goes back to whoever asked."""


class Operator:
    """kill: cancels one agent's task at once and says what it did. judge: sends a source down the pipeline. more:
    further verbs."""

    name = "operator"

    def __init__(
        self,
        campaign: Campaign,
        kill: Callable[[str], Awaitable[str]],
        judge: Callable[[str, Arguments], Awaitable[str]],
        more: Mapping[str, Callable[[str, Arguments], Awaitable[str]]] | None = None,
    ) -> None:
        self._campaign = campaign
        self._kill = kill
        self._running: set[asyncio.Task[None]] = set()
        self._holding = Holding(campaign, self._close, self._set_state)
        self._verbs: Mapping[str, Callable[[str, Arguments], Awaitable[str]]] = {
            "pause": self._pause,
            "resume": self._resume,
            "kill": self._kill_target,
            "stop": self._stop,
            "extend": self._extend,
            "hold": self._hold,
            "release": self._release,
            "check": judge,
            "accept": judge,
            "inject": judge,
            "calibrate": Calibrator(campaign).command,
            **(more or {}),
        }

    async def run(self) -> None:
        campaign = self._campaign
        while True:
            row = await campaign.store.write(commands.take_next)
            if row is None:
                await asyncio.sleep(POLL_S)
                continue
            task = asyncio.create_task(self._serve(row), name=f"command-{row.id}")
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _serve(self, row: CommandRow) -> None:
        verb = self._verbs.get(row.verb)
        try:
            if verb is None:
                raise Refused(f"no such command: {row.verb}; known: {', '.join(sorted(self._verbs))}")
            result, state = await verb(row.target, {**row.args, "actor": row.actor, "command": row.id}), "done"
        except (Refused, CannotChoose) as refusal:
            result, state = str(refusal), "refused"
        except asyncio.CancelledError:
            await complete(self._answer(row, "refused", "the campaign ended before it was done"))
            raise
        except Exception as error:  # noqa: BLE001 - a command that fails is answered, the engine stays
            result, state = crash_text(error), "refused"
        await complete(self._answer(row, state, result))

    async def _answer(self, row: CommandRow, state: str, result: str) -> None:
        await self._campaign.store.write(lambda s: commands.finish(s, row.id, state, result))

    async def _pause(self, target: str, _: Arguments) -> str:
        name = self._known(target)
        campaign = self._campaign
        if name in NEVER:
            raise Refused(f"{name} is never paused: it starts nothing")
        await self._close(name)
        if name in campaign.agent_names and campaign.latches.standing(name) != "paused":
            return f"{name} pauses once its step in hand is done"
        return f"{name} paused"

    async def _close(self, name: str) -> None:
        campaign = self._campaign
        await campaign.latches.close(name)
        if name in FOR_ALL:
            await self._set_state("pausing")
            await until_still(campaign)
            if campaign.latches.is_closed(name):
                await self._set_state("paused")

    async def _resume(self, target: str, arguments: Arguments) -> str:
        """Refused while the grader is not the one of the start. With a compiler, under that one."""
        name, compiler = self._known(target), str(arguments.get("compiler", ""))
        if compiler and await choose_compiler(self._campaign, compiler):
            return f"goes on with {compiler} once everything is checked again"
        if changed := await look(self._campaign):
            raise Refused(f"{told(changed)}. {TODO}")
        return await self._reopen(name)

    async def _reopen(self, name: str) -> str:
        await self._campaign.latches.open(name)
        if name == ALL:
            self._campaign.paused_at_start = False
        if name == ALL and self._campaign.held:
            return "all resumed, and waits for the device to be released"
        if name == ALL:
            await self._set_state("running")
        await self._campaign.notify()
        held = self._campaign.latches.held_by(name)
        return f"{name} resumed" + (f", and waits for {' and '.join(held)} to be resumed" if held else "")

    async def end(self) -> None:
        """Cancel what commands have under way; whoever asked is answered."""
        self._holding.end()
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _kill_target(self, target: str, _: Arguments) -> str:
        return await self._kill(target)

    async def _stop(self, _: str, arguments: Arguments) -> str:
        now = bool(arguments.get("now"))
        change = await self._campaign.store.read(lambda s: toolchain.open_change(s, self._campaign.id))
        self._holding.end()
        await self._campaign.latches.open_every()
        self._campaign.request_stop("stopped by the operator", now=now)
        await self._campaign.notify()
        if change is not None:
            return "stopping in the re-check: the next start goes on with it"
        return "stopping now, no final ledger" if now else "stopping: final ledger, then the end"

    async def _extend(self, _: str, arguments: Arguments) -> str:
        campaign = self._campaign
        more = float(arguments.get("minutes", 30.0))
        if not campaign.budget.minutes:
            raise Refused("this campaign has no time limit")
        campaign.budget = replace(campaign.budget, minutes=campaign.budget.minutes + more)
        await campaign.store.write(lambda s: campaigns.set_facts(s, campaign.id, minutes=campaign.budget.minutes))
        return f"now {campaign.budget.minutes:g} minutes"

    async def _hold(self, _: str, arguments: Arguments) -> str:
        return await self._holding.hold(float(arguments.get("minutes", 60.0)))

    async def _release(self, _: str, __: Arguments) -> str:
        return await self._holding.release()

    def _known(self, target: str) -> str:
        """An agent, a kernel or all. Raises: Refused."""
        names = {ALL, *self._campaign.kernels, *self._campaign.agent_names}
        if target not in names:
            raise Refused(f"nobody is called {target!r}; known: {', '.join(sorted(names))}")
        return target

    async def _set_state(self, state: str) -> None:
        campaign = self._campaign
        await campaign.store.write(lambda s: campaigns.set_state(s, campaign.id, state))
