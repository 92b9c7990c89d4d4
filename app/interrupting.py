"""Work that a signal asks to end, and that a second one kills."""

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

T = TypeVar("T")


def run_askable(work: Callable[[asyncio.Event], Coroutine[Any, Any, T]]) -> T:
    """What the work gives, run in a loop of its own. The first SIGINT or SIGTERM sets the event that it is given; the
    second kills."""

    async def main() -> T:
        asked = asyncio.Event()
        first_sets(asked, *SIGNALS)
        return await work(asked)

    os.environ.setdefault("OMP_NUM_THREADS", "1")
    return asyncio.run(main())


def first_sets(asked: asyncio.Event, *numbers: signal.Signals) -> Callable[[], None]:
    """The first of these signals sets the event, and none is heard any more; nor after a call of what is returned."""
    loop = asyncio.get_running_loop()

    def let_go() -> None:
        for number in numbers:
            loop.remove_signal_handler(number)

    def first() -> None:
        asked.set()
        let_go()

    for number in numbers:
        loop.add_signal_handler(number, first)
    return let_go
