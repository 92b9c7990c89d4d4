"""A conversation between one model and its tools, until the brief is closed or something ends it.

Every end has a reason that is shown. A turn that was cut or refused is never acted on; one that says what the last one
said is the end; words without a tool call are looked through for a whole source, twice at most.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Generic

from roles.brains.metered import BYTES_A_TOKEN_AT_LEAST, Caller, Meter, size_of
from roles.brains.registry import Spec
from roles.brains.talk import CUT, FULL, PAUSED, REFUSED, Answered, Ask, Call, Item, Result, Results, Said, Turn, Wire
from roles.mail import TOOL as ANSWER
from roles.mail import Mail
from roles.replies import Unusable
from roles.shielding import complete
from roles.tools.kit import B, Kit

REPAIRS = 2
USELESS_TURNS = 4
NEWLINE, LINE = "\n", 200
GROWTH = 2.0
GROWTH_FROM = 20_000  # bytes
ENDS = {REFUSED: "the model refused", FULL: "the model's context is full"}


class LoopEnded(Exception):
    """The reason is for the reader. parked: the model got stuck, and the same brief would end the same way."""

    def __init__(self, why: str, *, parked: bool = False) -> None:
        super().__init__(why)
        self.parked = parked


@dataclass(slots=True)
class Progress:
    """repairs: answers in words so far. useless: turns in a row without a tool call that worked. last: what the last
    turn said. doubled: the room for an answer was doubled once."""

    repairs: int = 0
    useless: int = 0
    last: str = ""
    size: int = 0
    doubled: bool = False
    items: list[Item] = field(default_factory=list)


class AgentLoop(Generic[B]):
    """passage: waits while the agent is paused; called before each request and each tool. mail: what a person writes to
    it meanwhile."""

    def __init__(
        self, meter: Meter, wire: Wire, spec: Spec, kit: Kit[B], bench: B, who: Caller,
        passage: Callable[[], Awaitable[None]], mail: Mail | None = None,
    ) -> None:  # fmt: skip
        self._meter = meter
        self._wire = wire
        self._spec = spec
        self._bench = bench
        self._who = who
        self._passage = passage
        self._progress = Progress()
        self._kit = kit
        self._mail = mail
        self._tools = (*kit.tools(), *([] if mail is None else [ANSWER]))

    async def run(self, system: str, first: str, conversation: str = "") -> str:
        """What the model says came of it. conversation: names it, where it is not about a brief.

        Raises: LoopEnded, LimitReached, Final, Infrastructure, asyncio.CancelledError.
        """
        self._progress.items.append(Said(first))
        name = f"{self._who.agent}/{conversation or self._who.brief_id}"
        ask = Ask(name, system, self._tools, (), self._spec.max_tokens, self._spec.effort)
        try:
            return await self._turns(ask)
        finally:
            if self._mail is not None:
                await complete(self._mail.end())

    async def _turns(self, ask: Ask) -> str:
        for _ in range(self._spec.turns):
            await self._passage()
            if self._mail is not None:
                self._progress.items += [Said(text) for text in await self._mail.new()]
            ask = replace(ask, items=tuple(self._progress.items))
            await self._watch_size(ask)
            turn = await self._meter.turn(self._wire, ask, self._who, self._bench.say)
            ask = await self._taken(ask, turn)
            if self._bench.finished:
                return self._bench.finished
        raise LoopEnded(f"{self._spec.turns} turns are over")

    async def _taken(self, ask: Ask, turn: Turn) -> Ask:
        """The next request's frame."""
        if turn.stop == CUT:
            return self._more_room(ask)
        if turn.stop in ENDS:
            raise LoopEnded(f"{ENDS[turn.stop]}: {turn.text[:300] or 'no reason given'}", parked=turn.stop == REFUSED)
        if turn.stop != PAUSED:
            self._refuse_repetition(turn)
        self._progress.items.append(Answered(turn.echo))
        if turn.calls:
            self._progress.items.append(await self._called(turn))
        elif turn.stop != PAUSED:
            self._progress.items.append(Said(await self._in_words(turn)))
        return ask

    def _more_room(self, ask: Ask) -> Ask:
        """A cut answer is dropped, and asked for once more with twice the room. Raises: LoopEnded."""
        if self._progress.doubled:
            raise LoopEnded(f"the answer was cut at {ask.max_tokens:,} tokens, and at half of that before", parked=True)
        self._progress.doubled = True
        told = f"Your answer was cut at {ask.max_tokens:,} tokens and was not used. Say it in less, or in parts."
        self._progress.items.append(Said(told))
        return replace(ask, max_tokens=2 * ask.max_tokens)

    def _refuse_repetition(self, turn: Turn) -> None:
        """Raises: LoopEnded for the second of two turns that say the same."""
        said = json.dumps(
            [turn.text, [(c.name, c.arguments and dict(c.arguments)) for c in turn.calls]], sort_keys=True
        )
        if said == self._progress.last:
            raise LoopEnded("the model says the same again", parked=True)
        self._progress.last = said

    async def _called(self, turn: Turn) -> Results:
        """All calls of a turn, one after the other. Raises: LoopEnded, Infrastructure."""
        results: list[Result] = []
        for wanted in turn.calls:
            await self._passage()
            results.append(await self._result(wanted))
            await self._bench.say(f"{wanted.name}: {results[-1].text.partition(NEWLINE)[0][:LINE]}")
        worked = any(not result.is_error for result in results)
        self._progress.useless = 0 if worked else self._progress.useless + 1
        if self._progress.useless >= USELESS_TURNS:
            raise LoopEnded(f"{USELESS_TURNS} turns without a tool call that worked: {results[-1].text}", parked=True)
        return Results(tuple(results))

    async def _result(self, wanted: Call) -> Result:
        if self._mail is not None and wanted.name == ANSWER.name:
            return await self._mail.answered(wanted)
        return await self._kit.call(self._bench, wanted)

    async def _in_words(self, turn: Turn) -> str:
        """What is said to an answer without a tool call. Raises: LoopEnded."""
        self._progress.repairs += 1
        found, form = self._bench.in_words(turn.text), self._bench.form
        if isinstance(found, Unusable):
            await self._bench.say(f"unusable answer ({found.kind}): {found.reason}")
            if self._progress.repairs > REPAIRS:
                raise LoopEnded(f"{self._progress.repairs} answers without a tool call: {found.reason}", parked=True)
            return f"{found.reason}. {form}"
        taken = await self._kit.call(self._bench, found)
        await self._bench.say(f"a whole source in words: {taken.text}")
        if self._progress.repairs > REPAIRS:
            raise LoopEnded(f"{self._progress.repairs} answers without a tool call", parked=True)
        return f"Taken as your whole file: {taken.text}. {form}"

    async def _watch_size(self, ask: Ask) -> None:
        """A context that doubles is said. Raises: LoopEnded when it is above what this brain may be sent."""
        size, before = size_of(ask), self._progress.size
        if before >= GROWTH_FROM and size > GROWTH * before:
            await self._bench.say(f"the context grew from about {before // 4:,} to {size // 4:,} tokens")
        self._progress.size = size
        if size / BYTES_A_TOKEN_AT_LEAST > self._spec.context:
            raise LoopEnded(f"the context, {size:,} bytes, is above the limit of {self._spec.context:,} tokens")
