"""Races the variants of a proposal on the device and hands on the winner, which is then judged like everybody.

A race picks, it proves nothing: its readings are selected, and nothing of them is carried over. One that does not end
has no winner.
"""

import asyncio
import dataclasses
from dataclasses import dataclass, replace

import numpy as np

from kernels.device.building import detached
from kernels.device.fit import contenders_that_fit
from kernels.gates.sequence import GateSequence
from kernels.judge.race import HEAD, RaceResult, race
from kernels.values.reading import Block
from roles.attempt import Attempt
from roles.budget import Spent, left
from roles.campaign import Campaign
from roles.field import LEAST, Field, Room, draw, worth_racing
from roles.final import reserve_s
from roles.giving_way import onward
from roles.kernel_state import KernelState
from roles.podium import by_id, of_winner, places_of, text_of
from roles.qualifying import Qualifying
from roles.scouting import Scout
from roles.shielding import Later, complete
from store import kernel_states, races
from store.engine import Session

REDOS = 3  # blocks of a race that are taken again when the device's mode changed in them


@dataclass(slots=True)
class Running:
    """A race under way. id: once its rows are there. loaded: keys that have a runner. caught: why, by key."""

    attempt: Attempt
    state: KernelState
    field: Field
    id: int | None = None
    loaded: set[str] = dataclasses.field(default_factory=set)
    caught: dict[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    later: Later = dataclasses.field(default_factory=Later)
    redos: int = 0


class Racer:
    def __init__(self, campaign: Campaign, gates: GateSequence) -> None:
        self._campaign = campaign
        self._qualifying = Qualifying(campaign, gates)
        self._scout = Scout(campaign, gates)

    async def winner(self, attempt: Attempt, state: KernelState, node_id: int) -> Attempt:
        """The attempt with the winner of its race as candidate; the attempt as it is when there is nothing to race, or
        nobody was left.

        Raises: HeadFailed, DeviceUnhealthy, HeadWithdrawn, asyncio.CancelledError; the race is then interrupted.
        """
        chosen = await self._field(attempt, state)
        if chosen is None or await self._scout.hopeless(attempt, state):
            return attempt
        running = Running(attempt, state, chosen)
        try:
            await complete(self._start(running, node_id))
            winner = await self._run(running)
        except BaseException as end:
            await complete(self._interrupted(running, _why(end)))
            detached(self._fallen(running, set()))  # whoever killed it does not wait for the machine
            raise
        await complete(self._fallen(running, set()))
        return winner

    async def _field(self, attempt: Attempt, state: KernelState) -> Field | None:
        campaign, kernel, head = self._campaign, attempt.kernel, state.head
        naive = head.key == state.baseline.key
        if not attempt.knobs or not worth_racing(head.ns, naive=naive, plateau=state.plateau):
            return None
        size = min((await self._room(kernel)).size, contenders_that_fit(state.spec))
        if size < LEAST:
            return None
        known = await campaign.store.read(lambda s: races.known(s, campaign.id, kernel, head.key))
        known |= {head.key, state.baseline.key}
        seed = campaign.seed_of("race", kernel, attempt.candidate.id, head.key, campaign.finished_attempts)
        found = await asyncio.to_thread(draw, attempt, head.candidate, known, size, seed)
        return found if len(found.entries) >= LEAST else None

    async def _room(self, kernel: str) -> Room:
        campaign, budget = self._campaign, self._campaign.budget
        gates_s = await campaign.store.read(lambda s: races.seconds_of_gates(s, campaign.id, kernel))
        spent = Spent(campaign.clock() - campaign.started_at, campaign.finished_attempts)
        candidates, seconds = left(budget, spent, reserve_s(campaign))
        return Room(campaign.policy.race_variants, candidates, seconds, gates_s or 0.0)

    async def _start(self, running: Running, node_id: int) -> None:
        campaign, attempt, chosen = self._campaign, running.attempt, running.field

        def rows(s: Session) -> int:
            status = f"racing {len(chosen.entries)} variants of {chosen.lever}"
            kernel_states.update(s, campaign.id, attempt.kernel, status=status)
            return races.start(
                s, campaign.id, attempt.kernel, node_id=node_id, head_id=running.state.head.key, lever=chosen.lever,
                agent=attempt.agent, seed=chosen.seed, grid=chosen.grid, entries=chosen.entries,
            )  # fmt: skip

        running.id = await campaign.store.write(rows)

    async def _run(self, running: Running) -> Attempt:
        entries = running.field.entries
        ready = await self._qualifying.run(_id(running), running.attempt, running.state, entries, running.loaded)
        result = await self._blocks(running, ready) if len(ready) > 1 else None
        await running.later.settled()
        return await complete(self._finish(running, ready, result))

    async def _blocks(self, running: Running, keys: list[str]) -> RaceResult:
        device, kernel, head = self._campaign.device, running.attempt.kernel, running.state.head
        session = await device.begin_race(kernel, head.key, keys)
        racing = race(keys, np.random.Generator(np.random.PCG64(running.field.seed + 1)))
        order = next(racing)
        while True:
            block = await self._block(running, session, [n or head.key for n in order])
            readings = {HEAD if key == head.key else key: reading.ns for key, reading in block.readings.items()}
            try:
                order = racing.send(readings)
            except StopIteration as done:
                result = _result(done)
                break
            await self._fallen(running, set(order) - block.dropped.keys())
        running.caught.update((await device.end_race(session)).caught)
        return result

    async def _block(self, running: Running, session: str, order: list[str]) -> Block:
        """A block that counts; one in which the mode changed is kept, and taken again a few times."""
        campaign, attempt = self._campaign, running.attempt
        while True:
            await onward(campaign, attempt.agent, running.state)
            block = await campaign.device.block(session, order, running.state.head.ns)
            again = bool(block.redo_reason) and running.redos < REDOS
            running.redos += again
            kept = block if again else replace(block, redo_reason="")
            running.later.add(self._kept(running, kept, campaign.device.last_hold_s))
            if not again:
                return block

    async def _kept(self, running: Running, block: Block, seconds: float) -> None:
        race_id = _id(running)
        await self._campaign.store.write(lambda s: races.add_block(s, race_id, block, seconds=seconds))

    async def _fallen(self, running: Running, alive: set[str]) -> None:
        """Whoever fell needs no runner any more. All at once, so that they wait for the machine together."""
        gone = sorted(running.loaded - alive)
        await asyncio.gather(*(self._campaign.device.unload(key) for key in gone))
        running.loaded.difference_update(gone)

    async def _finish(self, running: Running, ready: list[str], result: RaceResult | None) -> Attempt:
        places = places_of(ready, result, running.caught)
        best = places[0].candidate_id if places else None
        attempt, entries, race_id = running.attempt, by_id(running.field.entries), _id(running)
        head = running.state.head.candidate
        text = text_of(attempt.kernel, running.field.lever, entries, places, result.readings if result else 0)

        def rows(s: Session) -> None:
            for key, (kind, reason) in running.caught.items():
                races.drop(s, race_id, key, gate=races.RACED, kind=kind, reason=reason)
            races.finish(s, race_id, best, places, text)

        await self._campaign.store.write(rows)
        self._campaign.finished_attempts += len(entries) - 1
        return attempt if best is None else of_winner(attempt, head, entries[best], race_id)

    async def _interrupted(self, running: Running, why: str) -> None:
        await running.later.settled()
        if running.id is not None:
            race_id = running.id
            await self._campaign.store.write(lambda s: races.interrupt(s, race_id, why))


def _id(running: Running) -> int:
    if running.id is None:
        raise RuntimeError("a race without rows")
    return running.id


def _why(end: BaseException) -> str:
    if isinstance(end, asyncio.CancelledError):
        return "cut off: killed, or the campaign ended"
    return f"{type(end).__name__} {end}".strip()


def _result(done: StopIteration) -> RaceResult:
    if not isinstance(done.value, RaceResult):
        raise TypeError(f"a race gave {done.value!r}")
    return done.value
