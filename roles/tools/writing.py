"""Tools that change the model's own file: whole, by blocks of search and replace, or by a lever."""

import asyncio
from collections.abc import Sequence

from kernels.levers import registry
from kernels.levers.base import Application, LeverDoesNotApply
from kernels.values.params import params_text
from roles.tools.arguments import ApplyLever, Block, Edit, Nothing, WriteFile
from roles.tools.workbench import ToolFailed, Workbench

REASON = 160


async def write_file(bench: Workbench, asked: WriteFile) -> str:
    made = bench.change(asked.text)
    return f"written: {len(made.source.splitlines())} lines, {made.id[:12]}"


async def edit(bench: Workbench, asked: Edit) -> str:
    made = bench.change(edited(bench.own.source, asked.blocks))
    return f"{len(asked.blocks)} blocks applied: {len(made.source.splitlines())} lines, {made.id[:12]}"


def edited(text: str, blocks: Sequence[Block]) -> str:
    """All blocks applied in order. Raises: ToolFailed that names the first block that is not there exactly once."""
    for number, block in enumerate(blocks, start=1):
        search, replace = (part.replace("\r\n", "\n") for part in (block.search, block.replace))
        if search == replace:
            raise ToolFailed(f"block {number} changes nothing: search and replace are the same; no block was applied")
        found = text.count(search)
        if found != 1:
            why = f"stands there {found} times: take more lines around it" if found else _miss(text, search)
            raise ToolFailed(f"block {number} does not match exactly once: it {why}; no block was applied")
        text = text.replace(search, replace)
    return text


def _miss(text: str, search: str) -> str:
    """Why it is not there, as far as that can be seen."""
    wanted = [line.split() for line in search.strip().splitlines()]
    lines = [line.split() for line in text.splitlines()]
    for start in range(len(lines) - len(wanted) + 1):
        if lines[start : start + len(wanted)] == wanted:
            return f"is there only when blanks do not count, at line {start + 1}: copy it as it stands"
    first = wanted[0] if wanted else []
    near = [i + 1 for i, line in enumerate(lines) if first and line == first]
    if near:
        return f"is not there; its first line stands at {', '.join(map(str, near[:5]))}, what follows differs"
    return "is not there: read the file, and copy what you want to replace"


async def list_levers(bench: Workbench, asked: Nothing) -> str:
    found = await asyncio.to_thread(_applications, bench)
    lines = [
        f"{n}. {a.lever} {params_text(a.params)} at {a.site}: {a.reason[:REASON]}" for n, a in enumerate(found, start=1)
    ]
    return "\n".join(lines) or "no lever fits your file as it is"


async def apply_lever(bench: Workbench, asked: ApplyLever) -> str:
    found = await asyncio.to_thread(_applications, bench)
    if asked.number > len(found):
        raise ToolFailed(f"there is no lever {asked.number}: {len(found)} fit your file as it is now; list them")
    application = found[asked.number - 1]
    try:
        made = await asyncio.to_thread(registry.apply, bench.own, application, bench.campaign.context(bench.kernel))
    except LeverDoesNotApply as miss:
        raise ToolFailed(f"{application.lever} does not apply: {miss}") from miss
    bench.own = made
    lines = len(made.source.splitlines())
    way = f"{application.lever} {params_text(application.params)} at {application.site}"
    return f"{way} applied: {lines} lines, {made.id[:12]}"


def _applications(bench: Workbench) -> list[Application]:
    """In a fixed order for the same text."""
    return registry.applications(bench.own, bench.campaign.context(bench.kernel))
