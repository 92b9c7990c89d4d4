"""Claims drawn by models: who reads and audits, what it may cost, several documents at a time."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.brains import DEFAULT_USD, prices_of, unpriced
from app.onboarding.steps import Draw, Say, draw_offline
from app.settings import MissingError, Settings, UsageError
from roles.brains.failure import Final as GivenUp
from roles.brains.registry import OFFLINE, Spec, parse
from store import books, claims, llm_calls
from store.books import Release, Waiting

if TYPE_CHECKING:
    from roles.reading.readers import BookReaders
    from store.engine import Store

AT_ONCE: Final = 4
"""Documents that are read side by side: the server waits for nobody, and a limit ends no more than these."""
CUT: Final = "the run ended before the answer was whole; it may have been paid"


@dataclass(frozen=True, slots=True)
class ModelReading:
    """reader, auditors: words of models; without auditors the reader's model audits, in conversations of their own.
    usd, tokens: the most that this run may cost, 0 = no limit in that unit; usd None: the default limit."""

    settings: Settings
    reader: str
    auditors: Sequence[str] = ()
    usd: float | None = None
    tokens: int = 0

    @property
    def specs(self) -> tuple[Spec, Spec, Spec]:
        """Reader and two auditors. Raises: UsageError."""
        try:
            named = [parse(words) for words in (self.reader, *self.auditors)]
        except ValueError as error:
            raise UsageError(str(error)) from error
        if len(named) > 3:
            raise UsageError(f"--auditor: two audit, found {len(named) - 1}: {', '.join(self.auditors)}")
        reader, first, second = (named + named[-1:] * 2)[:3]
        return reader, first, second

    @property
    def limit(self) -> float:
        return DEFAULT_USD if self.usd is None else self.usd

    def forecast(self) -> str:
        """What it may cost, "" when nothing. Raises: UsageError for a model without price and limit."""
        paid = [spec for spec in self.specs if spec.kind != "scripted"]
        if not paid:
            return ""
        unknown = list(dict.fromkeys(unpriced(self.settings, paid)))
        if unknown and not self.tokens:
            raise UsageError(f"the price of {', '.join(unknown)} is unknown, no dollars can limit it; give --tokens N")
        names = ", ".join(dict.fromkeys(spec.words for spec in paid))
        tokens = f" and {self.tokens:,} tokens" if self.tokens else ""
        return f"{names} read and audit: this may cost at most ${self.limit:g}{tokens}; --usd and --tokens change that"

    def __call__(self, store: "Store", release: Release, waiting: Sequence[Waiting], say: Say) -> None:
        """Draw the claims of these documents. Raises: UsageError, MissingError; what is settled by then is kept."""
        store.write_sync(lambda s: llm_calls.cut_open(s, llm_calls.Account(release=release.id), CUT))
        try:
            asyncio.run(self._read(store, release, waiting, say))
        except ExceptionGroup as several:
            raise _explained(several.exceptions[0]) from several
        except GivenUp as why:
            raise _explained(why) from why

    async def _read(self, store: "Store", release: Release, waiting: Sequence[Waiting], say: Say) -> None:
        readers, gate = self._readers(store, release, say), asyncio.Semaphore(AT_ONCE)

        async def one(number: int, document: Waiting) -> None:
            async with gate:
                placed = await store.read(lambda s: books.placed(s, release.id, document.id))
                settled = await readers.claims(placed)
                new = await store.write(lambda s: claims.keep(s, release.id, document.id, settled))
            say(f"claims {number} of {len(waiting)}: {document.path}: {new}")

        try:
            async with asyncio.TaskGroup() as group:
                for number, document in enumerate(waiting, 1):
                    group.create_task(one(number, document))
        finally:
            for seat in {id(s.wire): s for s in (readers.reader, *readers.auditors)}.values():
                await seat.wire.close()

    def _readers(self, store: "Store", release: Release, say: Say) -> "BookReaders":
        from roles.brains.metered import Meter
        from roles.brains.pool import Seat
        from roles.brains.registry import make
        from roles.brains.secrets import Secrets
        from roles.reading.readers import BookReaders

        async def tell(line: str) -> None:
            say(line)

        specs = self.specs
        wires = {spec: make(spec) for spec in dict.fromkeys(specs)}
        seats = [Seat(spec, wires[spec]) for spec in specs]
        cap = llm_calls.Cap("book", "", self.limit, self.tokens)
        names = tuple({spec.key_env for spec in specs if spec.key_env})
        account = llm_calls.Account(release=release.id)
        meter = Meter(store, account, [cap], prices_of(self.settings), Secrets(names))
        return BookReaders(meter, seats[0], (seats[1], seats[2]), tell)


def drawing(
    settings: Settings, brain: str, auditors: Sequence[str], usd: float | None, tokens: int
) -> tuple[Draw, str]:
    """Who draws claims, and what that may cost in words, "" when nothing. Raises: UsageError."""
    if brain == OFFLINE:
        if auditors:
            raise UsageError(f"--auditor {auditors[0]}: the offline reader brings its own; give --brain, too")
        return draw_offline, ""
    found = ModelReading(settings, brain, tuple(auditors), usd, tokens)
    return found, found.forecast()


def _explained(why: Exception) -> Exception:
    """What a person is told of it; a fault of the program stays what it is."""
    kept = "What was read is kept; the same command goes on"
    if isinstance(why, llm_calls.LimitReached):
        return UsageError(f"onboard: {why}. {kept} with a higher limit")
    return MissingError(f"onboard: {why}. {kept}") if isinstance(why, GivenUp) else why
