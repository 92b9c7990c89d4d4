"""The operator's messages in a conversation with a model: they stand in its next request, and it answers by a tool."""

from typing import Annotated, Final

from pydantic import Field, ValidationError

from roles.brains.talk import Call, Result, Tool
from roles.campaign import Campaign
from roles.latches import ALL
from roles.tools.arguments import Arguments
from store import messages
from store.errors import StoreError
from store.messages import MessageView

SAYS: Final = """Message {id} from the operator, {actor}:
{text}

Answer it with answer_operator in a sentence or two, then go on. What you were asked to do and its limits stay as they
are unless the message changes them."""


class Answer(Arguments):
    message: int = Field(ge=1, description="number of the message")
    text: Annotated[str, Field(min_length=1, max_length=2000)] = Field(description="what you do about it, or why not")


TOOL: Final = Tool("answer_operator", "Answer a message from the operator. Only when there is one.", Answer.schema_of())


class Mail:
    """Of one conversation. kernel: the one that it is about, "" when it is about none. words: the model's."""

    def __init__(self, campaign: Campaign, agent: str, role: str, kernel: str, words: str) -> None:
        self._campaign = campaign
        self._agent = agent
        self._names = {agent, role, ALL, *([kernel] if kernel else [])}
        self._words = words

    async def new(self) -> list[str]:
        """What was written since the last time, as it is told to the model."""
        store, number = self._campaign.store, self._campaign.id
        if not await store.read(lambda s: messages.waiting(s, number, self._names)):
            return []
        found = await store.write(lambda s: messages.take(s, number, self._names, self._agent))
        return [told(one) for one in found]

    async def answered(self, wanted: Call) -> Result:
        """What a call of the tool gives."""
        try:
            said = Answer.model_validate(dict(wanted.arguments or {}))
            by = f"{self._agent} ({self._words})"
            await self._campaign.store.write(lambda s: messages.answer(s, said.message, by, said.text))
        except (ValidationError, StoreError) as error:
            return Result(wanted.id, f"error: {error}", is_error=True)
        return Result(wanted.id, f"message {said.message} is answered")

    async def end(self) -> None:
        """What was read and not answered is said."""
        store, number = self._campaign.store, self._campaign.id
        why = f"{self._agent} ({self._words}) read it and ended without an answer"
        if await store.read(lambda s: messages.unanswered_of(s, number, self._agent)):
            await store.write(lambda s: messages.close_unanswered(s, number, why, reader=self._agent))


def told(one: MessageView) -> str:
    return SAYS.format(id=one.id, actor=one.actor, text=one.text)
