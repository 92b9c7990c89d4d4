"""A worker's tools: their names, what they take, and one door to all of them.

A call that does not fit gets an error with a reason and the conversation goes on; only `Infrastructure` ends it.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from pydantic import ValidationError

from roles.brains.talk import Call, Result, Tool
from roles.tools import judging, reading, remembering, writing
from roles.tools.arguments import (
    ApplyLever,
    Arguments,
    Edit,
    Finish,
    Nothing,
    ReadSibling,
    ReadSource,
    Recall,
    Remember,
    Submit,
    WriteFile,
)
from roles.tools.clipping import clip
from roles.tools.workbench import ToolFailed, Workbench

A = TypeVar("A", bound=Arguments)
FAULTS = 5


@dataclass(frozen=True, slots=True)
class Entry(Generic[A]):
    """One tool."""

    takes: type[A]
    run: Callable[[Workbench, A], Awaitable[str]]
    does: str

    async def called(self, bench: Workbench, raw: Mapping[str, Any]) -> str:
        """Raises: ValidationError, ToolFailed, Infrastructure."""
        return await self.run(bench, self.takes.model_validate(dict(raw)))


TOOLS: Final[Mapping[str, Entry[Any]]] = {
    "read_source": Entry(ReadSource, reading.read_source, "Lines of your file, of the head, or of the baseline."),
    "read_contract": Entry(Nothing, reading.read_contract, "Arguments, tolerances, machine, rules, the header."),
    "read_sibling": Entry(ReadSibling, reading.read_sibling, "The head of another kernel of this pack."),
    "recall": Entry(Recall, reading.recall, "Wins, traps and what was tried, by words."),
    "write_file": Entry(WriteFile, writing.write_file, "Give your file a whole new text."),
    "edit": Entry(Edit, writing.edit, "Replace parts of your file; each search text must be there exactly once."),
    "list_levers": Entry(Nothing, writing.list_levers, "Named changes that fit your file now, with numbers."),
    "apply_lever": Entry(ApplyLever, writing.apply_lever, "Apply one of the listed changes to your file."),
    "compile": Entry(Nothing, judging.compile_own, "Cheap checks of your file, and the compiler's diagnostics."),
    "check": Entry(Nothing, judging.check_own, "Compile it and check its values on secret inputs."),
    "time": Entry(Nothing, judging.time_own, "Check it and time it against the head in three pairs: a hint."),
    "submit": Entry(Submit, judging.submit, "Have it judged; when it is faster it becomes the head. Few per brief."),
    "remember": Entry(Remember, remembering.remember, "Write a win or a trap for everybody."),
    "finish": Entry(Finish, remembering.finish, "Close the brief."),
}


def tools() -> tuple[Tool, ...]:
    """In a fixed order, so that a provider's cache of them holds."""
    return tuple(Tool(name, entry.does, entry.takes.schema_of()) for name, entry in TOOLS.items())


async def call(bench: Workbench, wanted: Call) -> Result:
    """Raises: Infrastructure, asyncio.CancelledError."""
    try:
        return Result(wanted.id, clip(await _run(bench, wanted)))
    except ToolFailed as failed:
        return Result(wanted.id, clip(f"error: {failed}"), is_error=True)


async def _run(bench: Workbench, wanted: Call) -> str:
    entry = TOOLS.get(wanted.name)
    if entry is None:
        raise ToolFailed(f"there is no tool {wanted.name!r}; there are: {', '.join(TOOLS)}")
    if wanted.arguments is None:
        raise ToolFailed(f"the arguments of {wanted.name} are no JSON object; nothing was done")
    if bench.finished:
        raise ToolFailed("the brief is closed")
    try:
        return await entry.called(bench, wanted.arguments)
    except ValidationError as error:
        raise ToolFailed(f"arguments of {wanted.name}: {_faults(error)}; nothing was done") from error


def _faults(error: ValidationError) -> str:
    found = [f"{'.'.join(str(p) for p in e['loc']) or 'all'}: {e['msg']}" for e in error.errors()[:FAULTS]]
    return "; ".join(found)
