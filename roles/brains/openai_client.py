"""What both of OpenAI's wires share: the client, its failures, and the shape of what was said. The SDK is imported when
the first request is made; its own retries are off."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from roles.brains.connection import Connection
from roles.brains.failure import Final, Retryable, message_of, of_status
from roles.brains.talk import Ask, Heard, Turn

if TYPE_CHECKING:
    from openai import AsyncOpenAI

T = TypeVar("T")
PASSING = frozenset({"server_error", "rate_limit_exceeded", "overloaded"})


class OpenAiClient:
    def __init__(self, connection: Connection) -> None:
        self.provider = connection.provider("openai")
        self._connection = connection
        self._client: AsyncOpenAI | None = None
        self._connecting = asyncio.Lock()

    async def get(self) -> "AsyncOpenAI":
        """Raises: Final when there is no key."""
        async with self._connecting:  # many ask at once at the start
            if self._client is None:
                key = self._connection.key("OPENAI_API_KEY")
                self._client = await asyncio.to_thread(self._made, key)
            return self._client

    def _made(self, key: str) -> "AsyncOpenAI":
        """In a thread: the SDK takes half a second to import, and what its parts need comes in when they are named."""
        from openai import AsyncOpenAI

        base, timeout = self._connection.base_url, self._connection.timeout()
        client = AsyncOpenAI(api_key=key, base_url=base or None, timeout=timeout, max_retries=0)
        _ = client.responses, client.chat.completions, client.models
        return client

    async def models(self) -> list[str]:
        return await self.tried(_listed)

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def tried(self, work: Callable[["AsyncOpenAI"], Awaitable[T]]) -> T:
        """Raises: Retryable, Final."""
        client = await self.get()
        import httpx2
        import openai

        try:
            async with asyncio.timeout(self._connection.total_s):
                return await work(client)
        except openai.APIStatusError as error:
            raise _failed(error) from error
        except (openai.OpenAIError, httpx2.TransportError, ValueError, TimeoutError) as error:
            raise Retryable(f"the stream broke: {type(error).__name__} {error}".strip()) from error


class OpenAiWire(ABC):
    """A wire over this client, but for what is sent and what comes of it."""

    def __init__(self, model: str, connection: Connection) -> None:
        self._client = OpenAiClient(connection)
        self.provider = self._client.provider
        self.model = model

    async def turn(self, ask: Ask, heard: Heard) -> Turn:
        return await self._client.tried(lambda client: self._stream(client, ask, heard))

    async def models(self) -> list[str]:
        return await self._client.models()

    async def close(self) -> None:
        await self._client.close()

    @abstractmethod
    async def _stream(self, client: "AsyncOpenAI", ask: Ask, heard: Heard) -> Turn:
        """One request. Raises: Retryable, Final, what the SDK raises."""


async def _listed(client: "AsyncOpenAI") -> list[str]:
    return [model.id for model in (await client.models.list()).data]


def of_code(code: str | None, why: str) -> Retryable | Final:
    """What an error inside a stream means."""
    if code is None or code in PASSING:
        return Retryable(f"in mid-stream: {why or code or 'no reason given'}", shared=code == "rate_limit_exceeded")
    return Final("quota" if code == "insufficient_quota" else "request", why or code)


def _failed(error: Any) -> Retryable | Final:
    said = message_of(error.body, error.message)
    return of_status(error.status_code, f"{error.code or ''} {said}".strip(), error.response.headers)
