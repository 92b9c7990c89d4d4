"""One exchange with a model, in words that no provider owns: what is asked, what comes back, and who carries it.

A conversation is a list of items. What the model answered is kept as its provider wants it echoed, and is never looked
into here.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

END, TOOLS, CUT, REFUSED, PAUSED, FULL = "end_turn", "tool_use", "max_tokens", "refusal", "pause_turn", "context_full"


@dataclass(frozen=True, slots=True)
class Tool:
    """schema: JSON schema of an object; every property is required and no other is allowed."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """The model wants a tool. arguments: None when what it sent is no JSON object."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens. input: neither read from nor written to a cache. output: thinking included."""

    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0

    @property
    def total(self) -> int:
        return self.input + self.cache_read + self.cache_write + self.output

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input, self.cache_read + other.cache_read, self.cache_write + other.cache_write,
            self.output + other.output,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Turn:
    """What the model answered, whole. stop: one of the words above, or the provider's own. echo: JSON, to be sent back
    as it is."""

    stop: str
    text: str
    calls: tuple[Call, ...]
    echo: Any
    usage: Usage = field(default_factory=Usage)

    def to_json(self) -> str:
        """The same turn always gives the same text."""
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Turn":
        raw = json.loads(text)
        calls = tuple(Call(c["id"], c["name"], c["arguments"]) for c in raw["calls"])
        return cls(raw["stop"], raw["text"], calls, raw["echo"], Usage(**raw["usage"]))


@dataclass(frozen=True, slots=True)
class Said:
    """What we say."""

    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What the model answered, as its provider wants it echoed."""

    echo: Any


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool gave. id: of the call."""

    id: str
    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Results:
    """The results of all calls of one turn."""

    results: tuple[Result, ...]


Item = Said | Answered | Results


@dataclass(frozen=True, slots=True)
class Ask:
    """One request. conversation: names the exchange that it belongs to. max_tokens: of the answer, thinking included.
    effort: low, medium, high, ... as the provider knows it; "" leaves it to the provider."""

    conversation: str
    system: str
    tools: tuple[Tool, ...]
    items: tuple[Item, ...]
    max_tokens: int
    effort: str = ""


TAIL = 400


@dataclass(slots=True)
class Heard:
    """What has arrived of an answer so far; what it costs is estimated from it when the rest never comes. tail: the
    last of it."""

    began: bool = False
    characters: int = 0
    tail: str = ""

    def part(self, text: str) -> None:
        self.began = True
        self.characters += len(text)
        self.tail = (self.tail + text)[-TAIL:]


class Wire(Protocol):
    """A way to one model of one provider. One for the whole program: it keeps the connections."""

    @property
    def provider(self) -> str:
        """Who is behind it; those with the same name share their back-off."""
        ...

    @property
    def model(self) -> str: ...

    async def turn(self, ask: Ask, heard: Heard) -> Turn:
        """One request, tried once. Cancelling it ends the request.

        Raises: Retryable for what may work later, a stream that was cut or stalled among it; Final for the rest.
        """
        ...

    async def models(self) -> list[str]:
        """Names of the models that it offers; asking costs nothing. Raises: Retryable, Final."""
        ...

    async def close(self) -> None: ...
