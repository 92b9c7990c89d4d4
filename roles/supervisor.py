"""One role, one supervised task: named, reported, restarted after a crash, killable."""

import asyncio
import time
import traceback
from collections.abc import Awaitable, Callable

Report = Callable[[str, str, str], Awaitable[None]]  # role, state, detail -> one row and one event
RESTARTS = 3
MAX_BACKOFF_S = 30.0
HEALTHY_S = 600.0  # a role that lived so long starts counting anew


class StopCampaign(Exception):
    """Raised by a role that knows that the campaign must end; the reason is shown."""


async def supervise(name: str, body: Callable[[], Awaitable[None]], report: Report, restarts: int = RESTARTS) -> None:
    """Run a role; a crash is recorded and retried with backoff, a kill is final.

    Raises: asyncio.CancelledError when killed, StopCampaign when the body asks for the end.
    """
    attempt = 0
    while attempt <= restarts:
        started = time.monotonic()
        try:
            await asyncio.sleep(min(2.0**attempt - 1, MAX_BACKOFF_S))
            await report(name, "working", f"attempt {attempt + 1}" if attempt else "")
            await body()
            await report(name, "done", "")
            return
        except (asyncio.CancelledError, StopCampaign):
            raise
        except Exception as error:  # noqa: BLE001 - one role must not take down the others; it is reported
            await report(name, "crashed", crash_text(error))
        attempt = 1 if time.monotonic() - started > HEALTHY_S else attempt + 1
    await report(name, "gave_up", f"crashed {restarts + 1} times")


def crash_text(error: BaseException) -> str:
    """The error, and the last place in our own code where it happened."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {frames[-1].filename.rsplit('/', 1)[-1]}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}: {error}{where}"
