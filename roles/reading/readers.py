"""From sections to settled claims, with models: draft by parts, audit by two, reword what they did not support."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from knowledge.book.index import BookIndex, Placed
from knowledge.claims import Auditor, Draft, Settled, settle
from knowledge.onboarding import evidence_for
from roles.agent_loop import AgentLoop, LoopEnded
from roles.brains.metered import Caller, Meter
from roles.brains.pool import Seat
from roles.prompts import render
from roles.reading.auditing import AUDITOR, SILENT, AuditBench, Heard, Statement, Verdicts
from roles.reading.drafting import READER, DraftBench
from roles.tools.kit import B, Kit

PART: Final = 24_000
"""Characters of a document that a reader gets at once: about 6,000 tokens, so that nothing in it is passed over."""
STATEMENTS: Final = 40
AROUND: Final = 1_500
NAMES: Final = ("auditor-1", "auditor-2")
FALLEN: Final = ("unsupported", SILENT)
Say = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class BookReaders:
    """reader and two auditors, which may be one and the same model: each conversation begins anew. say: one line of
    progress."""

    meter: Meter
    reader: Seat
    auditors: tuple[Seat, Seat]
    say: Say

    async def claims(self, placed: Sequence[Placed]) -> list[Settled]:
        """Of one document. Raises: LimitReached, Final: nothing of the document is settled then."""
        drafts = [draft for part in parts(placed) for draft in await self._drafts(part)]
        index = BookIndex(placed)
        said = await self._audited([(draft.text, draft) for draft in drafts], index)
        fallen = [(d.literal, d) for d in drafts if any(one.get(d.text, FALLEN)[0] != "supported" for one in said)]
        again = await self._audited([(text, draft) for text, draft in fallen if text != draft.text], index)
        heard: Sequence[Auditor] = [
            Heard(name, seat.spec.words, {**first, **second})
            for name, seat, first, second in zip(NAMES, self.auditors, said, again, strict=True)
        ]
        return [settle(draft, heard, evidence_for(draft, index)) for draft in drafts]

    async def _drafts(self, part: Sequence[Placed]) -> list[Draft]:
        bench = DraftBench(part, self.say)
        first = render("reading", document=part[0].document, sections=part)
        name = f"{part[0].document}#{part[0].section.anchor}"
        await self._converse(self.reader, READER, bench, Caller("reader", "reader"), ("reader", first, name))
        return bench.drafts

    async def _audited(self, asked: Sequence[tuple[str, Draft]], index: BookIndex) -> list[Verdicts]:
        """What each auditor says of each wording. A claim that falls is asked for again in the words of its source."""
        statements = [_statement(text, draft, index) for text, draft in asked]
        return list(await asyncio.gather(*(self._audit(number, statements) for number in range(len(NAMES)))))

    async def _audit(self, number: int, statements: Sequence[Statement]) -> Verdicts:
        said: Verdicts = {}
        for begin in range(0, len(statements), STATEMENTS):
            bench = AuditBench(statements[begin : begin + STATEMENTS], self.say)
            first = render("auditing", statements=bench.statements)
            who = Caller(NAMES[number], "auditor")
            name = hashlib.sha256(first.encode()).hexdigest()[:12]
            await self._converse(self.auditors[number], AUDITOR, bench, who, ("citation_auditor", first, name))
            said |= {bench.statements[n - 1].wording: verdict for n, verdict in bench.said.items()}
        return said

    async def _converse(self, seat: Seat, kit: Kit[B], bench: B, who: Caller, words: tuple[str, str, str]) -> None:
        """words: name of the system prompt, first words, name of the conversation. One that got stuck leaves what it
        did. Raises: LimitReached, Final."""
        system, first, conversation = words
        loop = AgentLoop(self.meter, seat.wire, seat.spec, kit, bench, who, _never_paused)
        try:
            await loop.run(render(system), first, conversation)
        except LoopEnded as end:
            await self.say(f"{who.agent}, {conversation}: {end}")


def parts(placed: Sequence[Placed]) -> list[list[Placed]]:
    """The sections of a document in runs of at most `PART` characters; a longer section is a run of its own."""
    runs = list[list[Placed]]()
    room = 0
    for one in placed:
        size = len(one.section.text)
        if not runs or size > room:
            runs.append([])
            room = PART
        runs[-1].append(one)
        room -= size
    return runs


def _statement(text: str, draft: Draft, index: BookIndex) -> Statement:
    evidence = evidence_for(draft, index)
    around, size = list[str](), 0
    for line in evidence.section:
        size += len(line)
        if size > AROUND:
            break
        around.append(line)
    return Statement(text, evidence.cited, around)


async def _never_paused() -> None:
    return
