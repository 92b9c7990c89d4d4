"""Messages API by streaming. The SDK is imported when the first request is made.

Its own retries are off. A stream without `message_stop` ended early, which the SDK does not say; what breaks in the
middle of one comes out of it as raw errors of the transport.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from roles.brains.connection import Connection
from roles.brains.failure import Final, Retryable, message_of, of_status
from roles.brains.talk import FULL, Answered, Ask, Call, Heard, Item, Results, Said, Turn, Usage

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

T = TypeVar("T")
PASSING = frozenset({"overloaded_error", "rate_limit_error", "api_error", "timeout_error"})
STOPS = {"model_context_window_exceeded": FULL, "stop_sequence": "end_turn"}


class AnthropicWire:
    def __init__(self, model: str, connection: Connection) -> None:
        self.provider = connection.provider("anthropic")
        self.model = model
        self._connection = connection
        self._client: AsyncAnthropic | None = None
        self._connecting = asyncio.Lock()

    async def turn(self, ask: Ask, heard: Heard) -> Turn:
        return await self._tried(lambda client: _stream(client, self._words(ask), heard))

    async def models(self) -> list[str]:
        return await self._tried(_listed)

    async def _tried(self, work: Callable[["AsyncAnthropic"], Awaitable[T]]) -> T:
        """Raises: Retryable, Final."""
        client = await self._connected()
        import anthropic
        import httpx2

        try:
            async with asyncio.timeout(self._connection.total_s):
                return await work(client)
        except anthropic.APIStatusError as error:
            raise _failed(error) from error
        except anthropic.AnthropicError as error:
            raise Retryable(f"{type(error).__name__}: {error}") from error
        except (httpx2.TransportError, ValueError, AssertionError, TimeoutError) as error:
            raise Retryable(f"the stream broke: {type(error).__name__} {error}".strip()) from error

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _connected(self) -> "AsyncAnthropic":
        async with self._connecting:  # many ask at once at the start
            if self._client is None:
                key = self._connection.key("ANTHROPIC_API_KEY")
                self._client = await asyncio.to_thread(self._made, key)
            return self._client

    def _made(self, key: str) -> "AsyncAnthropic":
        """In a thread: the SDK takes a second to import, and what its parts need comes in when they are first named."""
        from anthropic import AsyncAnthropic

        base, timeout = self._connection.base_url, self._connection.timeout()
        client = AsyncAnthropic(api_key=key, base_url=base or None, timeout=timeout, max_retries=0)
        _ = client.messages, client.models
        return client

    def _words(self, ask: Ask) -> dict[str, Any]:
        words: dict[str, Any] = {
            "model": self.model, "max_tokens": ask.max_tokens, "system": ask.system,
            "messages": [_message(item) for item in ask.items],
            "tools": [{"name": t.name, "description": t.description, "input_schema": t.schema} for t in ask.tools],
            "cache_control": {"type": "ephemeral"},
        }  # fmt: skip
        if ask.effort:
            words |= {"output_config": {"effort": ask.effort}, "thinking": {"type": "adaptive"}}
        return words


async def _listed(client: "AsyncAnthropic") -> list[str]:
    return [model.id for model in (await client.models.list(limit=1000)).data]


async def _stream(client: "AsyncAnthropic", words: dict[str, Any], heard: Heard) -> Turn:
    raw: dict[int, str] = {}
    done = False
    async with client.messages.stream(**words) as stream:
        async for event in stream:
            heard.began = True
            if event.type == "content_block_delta":
                heard.part(_text_of(event.delta))
                if event.delta.type == "input_json_delta":
                    raw[event.index] = raw.get(event.index, "") + event.delta.partial_json
            done = done or event.type == "message_stop"
        if not done:
            raise Retryable("the stream ended before the answer did")
        message = await stream.get_final_message()
    calls = tuple(
        Call(b.id, b.name, arguments(raw.get(i) or "{}")) for i, b in enumerate(message.content) if b.type == "tool_use"
    )
    text = "".join(b.text for b in message.content if b.type == "text")
    used = message.usage
    usage = Usage(
        used.input_tokens, used.cache_read_input_tokens or 0, used.cache_creation_input_tokens or 0, used.output_tokens
    )
    stop = message.stop_reason or "end_turn"
    echo = {"role": "assistant", "content": [_plain(block) for block in message.to_param()["content"]]}
    return Turn(STOPS.get(stop, stop), text, calls, echo, usage)


def _plain(block: Any) -> Any:
    """A block as JSON, with what the provider sent and nothing else: signatures of thinking blocks must not change."""
    if isinstance(block, dict):
        return block
    return block.model_dump(mode="json", exclude_unset=True, exclude=getattr(block, "__api_exclude__", None))


def arguments(raw: str) -> dict[str, Any] | None:
    """A JSON object, or None."""
    try:
        value = json.loads(raw)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _text_of(delta: Any) -> str:
    """What a piece of the answer adds, whatever its kind."""
    return next((t for n in ("text", "partial_json", "thinking") if isinstance(t := getattr(delta, n, None), str)), "")


def _message(item: Item) -> dict[str, Any]:
    if isinstance(item, Said):
        return {"role": "user", "content": item.text}
    if isinstance(item, Results):
        return {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": r.id, "content": r.text, "is_error": r.is_error}
                for r in item.results
            ],
        }
    return _echo(item)


def _echo(item: Answered) -> dict[str, Any]:
    return item.echo


def _failed(error: Any) -> Retryable | Final:
    """Status 200 is an error event in the middle of a stream."""
    kind = str(error.type or "")
    if kind in PASSING and error.status_code < 400:
        return Retryable(f"in mid-stream: {kind}", shared=kind in ("overloaded_error", "rate_limit_error"))
    said = message_of(error.body, error.message)
    return of_status(error.status_code, f"{kind} {said}".strip(), error.response.headers)
