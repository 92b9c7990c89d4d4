"""Every request to a model goes through here: limits first, then a row, then the request, then what it cost.

A limit holds for what is committed: what was spent, what open requests may cost at most, and what requests that were
cut by a crash may have cost.
"""

import asyncio
import json
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field

from roles.brains.backoff import Doors, Patience, Told, patiently
from roles.brains.failure import Final, Retryable
from roles.brains.prices import Prices
from roles.brains.purse import AtLimit, Purse
from roles.brains.secrets import Secrets
from roles.brains.streaming import streamed
from roles.brains.talk import Ask, Heard, Turn, Usage, Wire
from roles.brains.transcripts import Transcripts
from roles.shielding import complete
from store import llm_calls
from store.engine import Store
from store.llm_calls import Account, Asked, Cap, Ended

BYTES_A_TOKEN_AT_LEAST = 2.0  # of code and prose; the common tokenizers take 3 to 4 bytes
BYTES_A_TOKEN = 3.5


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, for what."""

    agent: str
    role: str
    kernel: str = ""
    brief_id: int | None = None


@dataclass(slots=True)
class _Tries:
    """What happens while one request is under way. sent: it is on its way now. wasted: tokens of tries that were cut,
    as far as they are known."""

    prompt: int
    sent: bool = False
    started: float = field(default_factory=time.monotonic)
    failed: int = 0
    heard: Heard = field(default_factory=Heard)
    wasted: Usage = field(default_factory=Usage)

    def anew(self) -> Heard:
        self.heard, self.sent = Heard(), True
        return self.heard

    def refused(self) -> None:
        """A try that had begun to answer was paid for; a refused one was not."""
        self.failed += 1
        self.sent = self.heard.began
        self.cut_off()

    def cut_off(self) -> None:
        """Whatever was sent is paid for: its prompt, and what was heard of the answer."""
        if self.sent:
            self.wasted += Usage(input=self.prompt, output=math.ceil(self.heard.characters / BYTES_A_TOKEN))
        self.sent = False

    def answered(self, usage: Usage) -> None:
        self.sent = False
        self.wasted += usage


class Meter:
    """Of one account."""

    def __init__(
        self, store: Store, account: Account, caps: Sequence[Cap], prices: Prices, secrets: Secrets,
        patience: Patience | None = None, doors: Doors | None = None,
    ) -> None:  # fmt: skip
        self._store = store
        self._account = account
        self._caps = tuple(caps)
        self._prices = prices
        self._secrets = secrets
        self._patience = patience or Patience()
        self._doors = doors or Doors()
        self._purse = Purse()
        self.transcripts = Transcripts(store.artefacts, secrets)

    def at_limit(self, told: AtLimit) -> None:
        """Who hears, once a limit, that it is reached."""
        self._purse.told = told

    async def turn(self, wire: Wire, ask: Ask, who: Caller, told: Told) -> Turn:
        """told: gets a line for every failure that is tried again. Where only requests under way stand between this one
        and a limit, it waits for them.

        Raises: LimitReached and nothing was sent, Final, asyncio.CancelledError.
        """
        asked = await self._asked(wire, ask, who)
        call_id = await self._purse.opened(lambda: self._opened(wire, asked), told)
        try:
            return await self._paid(wire, ask, asked, call_id, told)
        finally:
            self._purse.closed()

    async def _paid(self, wire: Wire, ask: Ask, asked: Asked, call_id: int, told: Told) -> Turn:
        tries = _Tries(math.ceil(size_of(ask) / BYTES_A_TOKEN))

        async def work() -> Turn:
            if tries.wasted.total:  # an earlier try has used up its share of what is reserved
                await self._store.write(lambda s: llm_calls.extend(s, call_id, asked, self._caps))
            return await _tried(wire, ask, tries)

        hears = streamed(self._store, self._account.campaign, asked.agent, self._secrets, lambda: tries.heard)
        try:
            async with hears:
                turn = await self._answer(wire, work, told)
        except BaseException as error:
            await complete(self._end(call_id, wire, tries, self._ended_by(error)))
            raise
        await complete(self._done(call_id, wire, tries, turn))
        return turn

    async def _done(self, call_id: int, wire: Wire, tries: _Tries, turn: Turn) -> None:
        tries.answered(turn.usage)
        reply = await asyncio.to_thread(self.transcripts.reply, turn)
        await self._end(call_id, wire, tries, Ended("done", stop=turn.stop, reply=reply))

    async def _asked(self, wire: Wire, ask: Ask, who: Caller) -> Asked:
        """What one try may cost at most, and the transcript of what is asked."""
        request = await asyncio.to_thread(self.transcripts.request, ask, wire.provider, wire.model)
        prompt = math.ceil(size_of(ask) / BYTES_A_TOKEN_AT_LEAST)
        most = await asyncio.to_thread(self._prices.dearest, wire.provider, wire.model, prompt, ask.max_tokens)
        return Asked(
            who.agent, who.role, who.kernel, wire.provider, wire.model, prompt + ask.max_tokens, most.usd, most.source,
            who.brief_id, request,
        )  # fmt: skip

    async def _opened(self, wire: Wire, asked: Asked) -> int:
        """The row's id. A cancel in the meantime leaves no open row. Raises: LimitReached."""
        start = asyncio.create_task(self._store.write(lambda s: llm_calls.start(s, self._account, asked, self._caps)))
        try:
            return await asyncio.shield(start)
        except asyncio.CancelledError:
            await asyncio.wait({start})
            if start.exception() is None:
                await self._end(start.result(), wire, _Tries(0), Ended("cancelled", reason="before it was sent"))
            raise

    async def _answer(self, wire: Wire, work: Callable[[], Awaitable[Turn]], told: Told) -> Turn:
        async def told_safely(line: str) -> None:
            await told(self._secrets.without(line))

        try:
            return await patiently(work, self._doors.of(wire.provider), self._patience, told_safely)
        except Final as final:
            raise Final(final.kind, self._secrets.without(str(final))) from None

    def _ended_by(self, error: BaseException) -> Ended:
        if isinstance(error, asyncio.CancelledError):
            return Ended("cancelled", reason="cancelled")
        said = f"{type(error).__name__}: {error}" if not isinstance(error, Final) else f"{error.kind}: {error}"
        return Ended("failed", reason=self._secrets.without(said))

    async def _end(self, call_id: int, wire: Wire, tries: _Tries, ended: Ended) -> None:
        tries.cut_off()
        used = tries.wasted
        cost = await asyncio.to_thread(self._prices.cost, wire.provider, wire.model, used)
        whole = Ended(
            ended.state, used.input, used.cache_read, used.cache_write, used.output, cost.usd, ended.stop, ended.reason,
            tries.failed if ended.state == "done" else max(tries.failed - 1, 0),
            time.monotonic() - tries.started, ended.reply,
        )  # fmt: skip
        await self._store.write(lambda s: llm_calls.end(s, call_id, whole))


async def _tried(wire: Wire, ask: Ask, tries: _Tries) -> Turn:
    try:
        return await wire.turn(ask, tries.anew())
    except (Retryable, Final):
        tries.refused()
        raise


def size_of(ask: Ask) -> int:
    """Bytes of a request."""
    parts = [ask.system, *(json.dumps(asdict(tool)) for tool in ask.tools)]
    parts += [json.dumps(asdict(item), ensure_ascii=False) for item in ask.items]
    return sum(len(part.encode("utf-8", "replace")) for part in parts)
