"""What a model is saying right now, as the step of the agent that hears it: a line every so often, no event."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Final

from roles.brains.secrets import Secrets
from roles.brains.talk import Heard
from store import agents
from store.engine import Store

EVERY_S: Final = 1.5
SHOWN: Final = 120
"""Characters of the last line."""


@asynccontextmanager
async def streamed(
    store: Store, campaign: int | None, agent: str, secrets: Secrets, heard: Callable[[], Heard]
) -> AsyncGenerator[None]:
    """While the request is under way. campaign: None = nobody watches. heard: what has arrived of the present try."""
    if campaign is None:
        yield
        return
    task = asyncio.create_task(_show(store, campaign, agent, secrets, heard), name=f"stream of {agent}")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _show(store: Store, campaign: int, agent: str, secrets: Secrets, heard: Callable[[], Heard]) -> None:
    shown = 0
    while True:
        await asyncio.sleep(EVERY_S)
        now = heard()
        if now.characters != shown:
            shown = now.characters
            text = secrets.without(line_of(now))
            await store.write(lambda s, t=text: agents.set_step(s, campaign, agent, t))


def line_of(heard: Heard) -> str:
    """`hears 2,310 characters: ...for (int r = 0; r < 4; r++)`."""
    last = heard.tail.strip().rpartition("\n")[2].strip()[-SHOWN:]
    return f"hears {heard.characters:,} characters: {last}"
