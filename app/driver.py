"""A terminal that may go away at any moment: an output that goes quiet, and a watch over stdin.

Textual's writer thread dies on the first EIO; its queue of 30 writes then fills up, and the next paint blocks the event
loop for good. Its input thread spins when stdin is at its end. The UI owns nothing that must be saved, so the answer to
both is to end, quietly and soon (`App.terminal_lost`).
"""

import contextlib
import os
import select
import signal
import threading
from collections.abc import Callable, Generator
from types import FrameType
from typing import IO, Final, TextIO, cast

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from typing_extensions import override

from app.glyphs import to_ascii, utf8_locale

LAST_RESORT_S: Final = 3.0
GONE: Final = select.POLLHUP | select.POLLERR | select.POLLNVAL


class QuietFile:
    """Writes until the terminal is lost, then swallows; reports the loss once. ascii_only: all that it can show."""

    def __init__(self, file: IO[str], on_lost: Callable[[], None], *, ascii_only: bool = False) -> None:
        self._file, self._on_lost, self._lost, self._ascii = file, on_lost, False, ascii_only

    def write(self, text: str) -> int:
        shown = to_ascii(text) if self._ascii else text
        return self._guarded(lambda: self._file.write(shown))

    def flush(self) -> None:
        self._guarded(self._flush)

    def _flush(self) -> int:
        self._file.flush()
        return 0

    def _guarded(self, action: Callable[[], int]) -> int:
        if self._lost:
            return 0
        try:
            return action()
        except (OSError, ValueError):
            self._lost = True
            self._on_lost()
            return 0

    def fileno(self) -> int:
        return self._file.fileno()

    def isatty(self) -> bool:
        return True


class GuardedDriver(LinuxDriver):
    """Calls the app's `terminal_lost` when output or input are gone."""

    def __init__(
        self, app: App[object], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        if self._file is not None:
            self._file = cast("TextIO", QuietFile(self._file, self._report, ascii_only=not utf8_locale(os.environ)))

    @override
    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except OSError:
            self._report()

    def set_mouse(self, *, on: bool) -> None:
        """Mouse reports on or off while running."""
        if on:
            self._mouse = True
            self._enable_mouse_support()
        else:
            self._disable_mouse_support()
            self._mouse = False

    def input_is_gone(self) -> bool:
        return is_gone(self.fileno)

    def _report(self) -> None:
        lost = getattr(self._app, "terminal_lost", None)
        if callable(lost) and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(lost)


def is_gone(descriptor: int) -> bool:
    """Whether the terminal behind it hung up; a poll without waiting."""
    watched = select.poll()
    try:
        watched.register(descriptor, GONE)
        return any(event & GONE for _, event in watched.poll(0))
    except (OSError, ValueError):
        return True


def silence_terminal() -> None:
    """Points stdin, stdout and stderr at nothing: whatever still writes can no longer fail or block."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        with contextlib.suppress(OSError):
            os.dup2(null, descriptor)
    os.close(null)


class LastResort:
    """Ends the process if the loop has not ended it by itself: armed by a lost terminal only."""

    def __init__(self, seconds: float = LAST_RESORT_S) -> None:
        self._timer = threading.Timer(seconds, os._exit, args=(0,))
        self._timer.daemon = True
        self._armed = False

    def arm(self) -> None:
        if not self._armed:
            self._armed = True
            self._timer.start()

    def disarm(self) -> None:
        self._timer.cancel()


@contextlib.contextmanager
def hang_up_handled(on_hang_up: Callable[[], None], on_end: Callable[[], None]) -> Generator[None]:
    """Within: SIGHUP calls the first, SIGTERM and SIGINT the second; afterwards the old handlers are back.

    A SIGHUP that somebody sends while the terminal is there is an end like the others, which leaves it as it was.
    """

    def hang_up(_number: int, _frame: FrameType | None) -> None:
        if not is_gone(0):
            on_end()
            return
        silence_terminal()
        on_hang_up()

    def end(_number: int, _frame: FrameType | None) -> None:
        on_end()

    handlers = {signal.SIGHUP: hang_up, signal.SIGTERM: end, signal.SIGINT: end}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
