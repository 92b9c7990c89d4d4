"""Responses API by streaming, without state at the provider: for OpenAI's own models.

The terminal event is what counts; a stream without one was cut. The SDK's helpers are not used: they raise in the
middle of what has to be looked at.
"""

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from roles.brains.anthropic import arguments
from roles.brains.failure import Retryable
from roles.brains.openai_client import OpenAiWire, of_code
from roles.brains.talk import CUT, END, REFUSED, TOOLS, Answered, Ask, Call, Heard, Item, Results, Said, Turn, Usage

if TYPE_CHECKING:
    from openai import AsyncOpenAI

TERMINAL = frozenset({"response.completed", "response.incomplete", "response.failed"})


class ResponsesWire(OpenAiWire):
    @override
    async def _stream(self, client: "AsyncOpenAI", ask: Ask, heard: Heard) -> Turn:
        return await _stream(client, self._words(ask), heard)

    def _words(self, ask: Ask) -> dict[str, Any]:
        words: dict[str, Any] = {
            "model": self.model, "instructions": ask.system, "max_output_tokens": ask.max_tokens, "store": False,
            "include": ["reasoning.encrypted_content"],
            "input": [part for item in ask.items for part in _parts(item)],
            "tools": [
                {"type": "function", "name": t.name, "description": t.description, "parameters": t.schema,
                 "strict": True}
                for t in ask.tools
            ],
        }  # fmt: skip
        return words | ({"reasoning": {"effort": ask.effort}} if ask.effort else {})


async def _stream(client: "AsyncOpenAI", words: dict[str, Any], heard: Heard) -> Turn:
    final: Any = None
    failed: Any = None
    async with await client.responses.create(stream=True, **words) as stream:
        async for event in stream:
            heard.began = True
            if event.type.endswith(".delta"):
                heard.part(str(getattr(event, "delta", "")))
            elif event.type == "error":
                failed = event
            elif event.type in TERMINAL:
                final = getattr(event, "response", None)
    if final is None and failed is not None:
        raise of_code(failed.code, failed.message)
    if final is None:
        raise Retryable("the stream ended before the answer did")
    if final.status == "failed":
        raise of_code(final.error.code if final.error else None, final.error.message if final.error else "")
    return _turn(final)


def _turn(final: Any) -> Turn:
    calls = tuple(Call(o.call_id, o.name, arguments(o.arguments)) for o in final.output if o.type == "function_call")
    return Turn(
        _stop(final, calls), final.output_text, calls, [o.to_dict(mode="json") for o in final.output],
        _usage(final.usage),
    )  # fmt: skip


def _stop(final: Any, calls: tuple[Call, ...]) -> str:
    if final.status == "incomplete":
        reason = final.incomplete_details.reason if final.incomplete_details else ""
        return REFUSED if reason == "content_filter" else CUT
    said = [part for o in final.output if o.type == "message" for part in o.content]
    if any(part.type == "refusal" for part in said):
        return REFUSED
    return TOOLS if calls else END


def _usage(used: Any) -> Usage:
    """Other servers leave parts of it out."""
    if used is None:
        return Usage()
    details = used.input_tokens_details
    read, write = ((getattr(details, n, 0) or 0) for n in ("cached_tokens", "cache_write_tokens"))
    return Usage(max(used.input_tokens - read - write, 0), read, write, used.output_tokens)


def _parts(item: Item) -> list[dict[str, Any]]:
    if isinstance(item, Said):
        return [{"role": "user", "content": item.text}]
    if isinstance(item, Results):
        return [{"type": "function_call_output", "call_id": r.id, "output": r.text} for r in item.results]
    return _echo(item)


def _echo(item: Answered) -> list[dict[str, Any]]:
    return item.echo
