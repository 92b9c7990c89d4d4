"""What a role asks of its models: one conversation at a time, and a reason in an event where none came of it.

Brains propose: what a conversation decided is on its panel, and code takes it from there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from roles.agent_loop import AgentLoop, LoopEnded
from roles.brains.failure import Final
from roles.brains.metered import Caller
from roles.brains.pool import Models, Seat
from roles.campaign import Campaign
from roles.mail import Mail
from roles.prompts import render
from roles.tools.kit import Kit
from roles.tools.panel import Panel
from roles.tools.workbench import Infrastructure
from store import events
from store.llm_calls import LimitReached

P = TypeVar("P", bound=Panel)
NOBODY = "no model is left to ask"


@dataclass(frozen=True, slots=True)
class Words:
    """What is said first. system: a template without values, the same for every conversation of the role; first: the
    template of the first message; values: of it. name: of the conversation."""

    name: str
    system: str
    first: str
    values: Mapping[str, object]


class Counsel:
    """Of one agent."""

    def __init__(self, campaign: Campaign, models: Models, role: str, agent: str) -> None:
        self._campaign = campaign
        self._models = models
        self._role = role
        self._agent = agent
        self._told_nobody = False

    @property
    def there(self) -> bool:
        """Whether a model may be asked now."""
        return self._models.any_for(self._role)

    async def ask(self, kit: Kit[P], panel: P, words: Words, kernel: str = "") -> bool:
        """Whether something came of it: the model closed the conversation, or decided something before it ended.
        Where not, an event says why and that the offline policy decides."""
        self._campaign.asking.add(self._agent)
        try:
            why = await self._held(kit, panel, words, kernel)
        finally:
            self._campaign.asking.discard(self._agent)
        if not why or panel.decided:
            await panel.say(panel.finished or f"{panel.decided} decisions, then: {why}")
            return True
        if why != NOBODY or not self._told_nobody:
            self._told_nobody = why == NOBODY
            await event(self._campaign, "fallback", self._agent, f"{why}; the offline policy decides")
        return False

    async def _held(self, kit: Kit[P], panel: P, words: Words, kernel: str) -> str:
        """Why the model did not close it, "" when it did; one that is out for good is followed by the next."""
        while (seat := self._models.seat(self._role, 0)) is not None:
            try:
                await self._conversation(seat, kit, panel, words, kernel)
                return ""
            except LoopEnded as end:
                return f"{seat.spec.words}: {end}"
            except LimitReached as limit:
                return f"budget reached: {limit}"
            except Infrastructure as failure:
                return str(failure)
            except Final as failed:
                if not failed.for_all:
                    return f"{seat.spec.words}: {failed}"
                await out(self._campaign, self._models, seat, self._role, self._agent, str(failed))
        return NOBODY

    async def _conversation(self, seat: Seat, kit: Kit[P], panel: P, words: Words, kernel: str) -> None:
        campaign = self._campaign

        async def passage() -> None:
            await campaign.latches.passage(self._agent, *([kernel] if kernel else []))
            if campaign.stop.is_set():
                raise LoopEnded("the campaign ends")

        await panel.say(f"{words.name}: asks {seat.spec.words}")
        who = Caller(self._agent, self._role, kernel)
        mail = Mail(campaign, self._agent, self._role, kernel, seat.spec.words)
        loop = AgentLoop(self._models.meter, seat.wire, seat.spec, kit, panel, who, passage, mail)
        await loop.run(render(words.system), render(words.first, **words.values), words.name)


async def out(campaign: Campaign, models: Models, seat: Seat, role: str, agent: str, why: str) -> None:
    """This model is not asked any more."""
    known = seat.spec.words in models.out
    models.out[seat.spec.words] = why
    if not known:
        left, whose = models.seat(role, 0), "workers go" if role == "worker" else f"the {role} goes"
        then = f"{whose} on with {left.spec.words if left else 'the offline policy'}"
        await event(campaign, "model_out", agent, f"{seat.spec.words} is not asked any more: {why}; {then}")


async def event(campaign: Campaign, kind: str, agent: str, text: str) -> None:
    await campaign.store.write(lambda s: events.append(s, campaign.id, kind, agent, text))
