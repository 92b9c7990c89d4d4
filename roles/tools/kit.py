"""A set of tools for one kind of conversation: their names, what they take, and one door to all of them.

A call that does not fit gets an error with a reason and the conversation goes on; only `Infrastructure` ends it.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import ValidationError

from roles.brains.talk import Call, Result, Tool
from roles.replies import Unusable
from roles.tools.arguments import Arguments
from roles.tools.clipping import clip
from roles.tools.workbench import ToolFailed

FAULTS = 5


class Bench(Protocol):
    """What a model has before it. finished: what it says came of it, "" before that. say: a line for the reader.
    form: what it is told when it answers in words."""

    finished: str

    @property
    def form(self) -> str: ...

    @property
    def say(self) -> Callable[[str], Awaitable[None]]: ...

    def in_words(self, text: str) -> Call | Unusable:
        """What an answer without a tool call means."""
        ...


B = TypeVar("B", bound=Bench)
A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Entry(Generic[B, A]):
    """One tool."""

    takes: type[A]
    run: Callable[[B, A], Awaitable[str]]
    does: str

    async def called(self, bench: B, raw: Mapping[str, Any]) -> str:
        """Raises: ValidationError, ToolFailed, Infrastructure."""
        return await self.run(bench, self.takes.model_validate(dict(raw)))


@dataclass(frozen=True, slots=True)
class Kit(Generic[B]):
    """closed: what a call gets once the conversation is over."""

    entries: Mapping[str, Entry[B, Any]]
    closed: str = "the brief is closed"

    def tools(self) -> tuple[Tool, ...]:
        """In a fixed order, so that a provider's cache of them holds."""
        return tuple(Tool(name, entry.does, entry.takes.schema_of()) for name, entry in self.entries.items())

    async def call(self, bench: B, wanted: Call) -> Result:
        """Raises: Infrastructure, asyncio.CancelledError."""
        try:
            return Result(wanted.id, clip(await self._run(bench, wanted)))
        except ToolFailed as failed:
            return Result(wanted.id, clip(f"error: {failed}"), is_error=True)

    async def _run(self, bench: B, wanted: Call) -> str:
        entry = self.entries.get(wanted.name)
        if entry is None:
            raise ToolFailed(f"there is no tool {wanted.name!r}; there are: {', '.join(self.entries)}")
        if wanted.arguments is None:
            raise ToolFailed(f"the arguments of {wanted.name} are no JSON object; nothing was done")
        if bench.finished:
            raise ToolFailed(self.closed)
        try:
            return await entry.called(bench, wanted.arguments)
        except ValidationError as error:
            raise ToolFailed(f"arguments of {wanted.name}: {_faults(error)}; nothing was done") from error


def _faults(error: ValidationError) -> str:
    found = [f"{'.'.join(str(p) for p in e['loc']) or 'all'}: {e['msg']}" for e in error.errors()[:FAULTS]]
    return "; ".join(found)
