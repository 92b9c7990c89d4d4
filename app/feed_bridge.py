"""Between the screen and the store: the thread that the `Source` is read in.

Nothing here is called on the event loop except `Feed.ask`, which hands a function to a thread.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from app.source import Source, SourceError

T = TypeVar("T")


class Feed:
    """The source in one thread of its own; made there too, so that its imports never hold up a frame."""

    def __init__(self, make_source: Callable[[], Source]) -> None:
        self._make = make_source
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="feed")
        self._source: Source | None = None

    @property
    def ready(self) -> bool:
        return self._source is not None

    async def open(self) -> None:
        """Raises: SourceError."""
        loop = asyncio.get_running_loop()
        self._source = await loop.run_in_executor(self._threads, self._make)

    async def ask(self, question: Callable[[Source], T]) -> T:
        """The answer of `question(source)`, asked in the thread. Raises: SourceError."""
        source = self._source
        if source is None:
            raise SourceError("the store is not open yet")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, question, source)

    def close(self) -> None:
        """Drops what waits; the source is closed after the question that is being answered."""
        source, self._source = self._source, None
        if source is not None:
            self._threads.submit(source.close)
        self._threads.shutdown(wait=False, cancel_futures=False)
