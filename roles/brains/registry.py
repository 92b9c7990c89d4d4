"""Brains by words: `offline`, `anthropic`, `anthropic:MODEL`, `openai:MODEL`, `openai:MODEL@http://host:8000/v1`,
`scripted:FILE`."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from roles.brains.connection import Connection
from roles.brains.talk import Wire

OFFLINE: Final = "offline"
DEFAULT_MODELS: Final = {"anthropic": "claude-opus-5-5", "openai": "gpt-6.1-terra"}
KEYS: Final = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
ADDRESSES: Final = {"anthropic": "ANTHROPIC_BASE_URL", "openai": "OPENAI_BASE_URL"}
OWN: Final = {"anthropic": "api.anthropic.com", "openai": "api.openai.com"}
KINDS: Final = (*DEFAULT_MODELS, "scripted")
WIRES: Final = ("", "messages", "responses", "chat")


class UnknownBrain(ValueError):
    """The words name no brain; says what does."""


@dataclass(frozen=True, slots=True)
class Spec:
    """One model, and how it is asked. base_url: "" = the provider's own. wire: "" = what fits the address. effort: "" =
    the provider's default. max_tokens: of one answer. context: tokens of a request at most. turns: of one brief at
    most."""

    kind: str
    model: str
    base_url: str = ""
    key_env: str = ""
    wire: str = ""
    effort: str = ""
    max_tokens: int = 16_000
    context: int = 180_000
    turns: int = 40
    stall_s: float = 90.0
    total_s: float = 900.0

    @property
    def words(self) -> str:
        return f"{self.kind}:{self.model}" + (f"@{self.base_url}" if self.base_url else "")

    @property
    def connection(self) -> Connection:
        return Connection(self.base_url, self.key_env, self.stall_s, self.total_s)

    @property
    def provider(self) -> str:
        return self.kind if self.kind == "scripted" else self.connection.provider(self.kind)

    @property
    def how(self) -> str:
        """The wire that is spoken. Compatible servers all have chat completions."""
        if self.wire:
            return self.wire
        return {"anthropic": "messages", "openai": "chat" if self.base_url else "responses"}.get(self.kind, "")


def parse(words: str) -> Spec:
    """The address comes from the words, else from the provider's usual variable, and only then with its usual key.

    Raises: UnknownBrain.
    """
    kind, _, rest = words.partition(":")
    if kind not in KINDS:
        raise UnknownBrain(f"no brain {words!r}: it is {OFFLINE}, or one of {', '.join(KINDS)}, and then :MODEL")
    if kind == "scripted":
        return Spec(kind, rest)
    model, _, address = rest.partition("@")
    if address or not _address(kind):
        return Spec(kind, model or DEFAULT_MODELS[kind], address)
    key = KEYS[kind] if os.environ.get(KEYS[kind], "").strip() else ""
    return Spec(kind, model or DEFAULT_MODELS[kind], _address(kind), key)


def _address(kind: str) -> str:
    """That of the variable, unless it is the provider's own, which needs no mention."""
    found = os.environ.get(ADDRESSES[kind], "").strip()
    return "" if urlsplit(found).hostname == OWN[kind] else found


def make(spec: Spec) -> Wire:
    """Opens nothing and imports no SDK: that happens with the first request. Raises: Final for a bad script."""
    if spec.kind == "scripted":
        from roles.brains.scripted import ScriptedWire

        return ScriptedWire.from_file(Path(spec.model))
    from roles.brains.anthropic import AnthropicWire
    from roles.brains.openai_chat import ChatWire
    from roles.brains.openai_responses import ResponsesWire

    made = {"messages": AnthropicWire, "responses": ResponsesWire, "chat": ChatWire}[spec.how]
    return made(spec.model, spec.connection)
