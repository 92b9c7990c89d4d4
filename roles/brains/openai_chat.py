"""Chat completions by streaming: the wire that every compatible server has (vLLM, Ollama, llama.cpp, ...).

A stream without a `finish_reason` was cut. Some servers say `stop` beside tool calls.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from roles.brains.anthropic import arguments
from roles.brains.failure import Retryable
from roles.brains.openai_client import OpenAiWire
from roles.brains.talk import CUT, END, REFUSED, TOOLS, Answered, Ask, Call, Heard, Item, Results, Said, Turn, Usage

if TYPE_CHECKING:
    from openai import AsyncOpenAI

STOPS = {"stop": END, "tool_calls": TOOLS, "length": CUT, "content_filter": REFUSED}


class ChatWire(OpenAiWire):
    @override
    async def _stream(self, client: "AsyncOpenAI", ask: Ask, heard: Heard) -> Turn:
        return await _stream(client, self._words(ask), heard)

    def _words(self, ask: Ask) -> dict[str, Any]:
        words: dict[str, Any] = {
            "model": self.model, "max_tokens": ask.max_tokens,
            "messages": [{"role": "system", "content": ask.system}, *(m for i in ask.items for m in _messages(i))],
            "tools": [
                {"type": "function", "function": {"name": t.name, "description": t.description, "parameters": t.schema}}
                for t in ask.tools
            ],
        }  # fmt: skip
        return words | ({"reasoning_effort": ask.effort} if ask.effort else {})


@dataclass(slots=True)
class _Wanted:
    """A tool call as its pieces come in."""

    id: str = ""
    name: str = ""
    arguments: str = ""

    def add(self, piece: Any) -> None:
        self.id = piece.id or self.id
        if piece.function:
            self.name += piece.function.name or ""
            self.arguments += piece.function.arguments or ""

    def echo(self) -> dict[str, Any]:
        """Arguments that are no JSON would make servers that render them refuse the next request."""
        told = self.arguments if arguments(self.arguments) is not None else "{}"
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": told}}


@dataclass(slots=True)
class _Answer:
    text: str = ""
    stop: str = ""
    used: Any = None
    wanted: dict[int, _Wanted] = field(default_factory=dict)

    def add(self, chunk: Any, heard: Heard) -> None:
        heard.began = True
        self.used = chunk.usage or self.used
        for choice in chunk.choices:
            self.stop = choice.finish_reason or self.stop
            if choice.delta.content:
                self.text += choice.delta.content
                heard.part(choice.delta.content)
            for piece in choice.delta.tool_calls or []:
                self.wanted.setdefault(piece.index, _Wanted()).add(piece)
                heard.part((piece.function.arguments or "") if piece.function else "")

    def turn(self) -> Turn:
        wanted = [self.wanted[i] for i in sorted(self.wanted)]
        echo: dict[str, Any] = {"role": "assistant", "content": self.text or None}
        if wanted:
            echo["tool_calls"] = [w.echo() for w in wanted]
        stop = TOOLS if wanted and self.stop == "stop" else STOPS.get(self.stop, self.stop)
        calls = tuple(Call(w.id, w.name, arguments(w.arguments)) for w in wanted)
        return Turn(stop, self.text, calls, echo, _usage(self.used))


async def _stream(client: "AsyncOpenAI", words: dict[str, Any], heard: Heard) -> Turn:
    answer = _Answer()
    async with await client.chat.completions.create(
        stream=True, stream_options={"include_usage": True}, **words
    ) as stream:
        async for chunk in stream:
            answer.add(chunk, heard)
    if not answer.stop:
        raise Retryable("the stream ended before the answer did")
    return answer.turn()


def _usage(used: Any) -> Usage:
    if used is None:
        return Usage()
    details = used.prompt_tokens_details
    read = (details.cached_tokens or 0) if details else 0
    return Usage(max(used.prompt_tokens - read, 0), read, 0, used.completion_tokens)


def _messages(item: Item) -> list[dict[str, Any]]:
    if isinstance(item, Said):
        return [{"role": "user", "content": item.text}]
    if isinstance(item, Results):
        return [{"role": "tool", "tool_call_id": r.id, "content": r.text} for r in item.results]
    return _echo(item)


def _echo(item: Answered) -> list[dict[str, Any]]:
    return [item.echo]
