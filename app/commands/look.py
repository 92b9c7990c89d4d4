"""What the screen is asked to look like, and which display there is: checked before anything is started."""

import os
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from app.settings import UsageError

if TYPE_CHECKING:
    from app.launch import Launch

Theme = Annotated[str, typer.Option(help="dark, light, high-contrast or ansi; else what fits the terminal")]
Color = Annotated[str, typer.Option(help="auto, truecolor, 256, 16 or none; auto: by NO_COLOR and the terminal")]
Ascii = Annotated[bool, typer.Option("--ascii", help="no line-drawing characters")]
NoMouse = Annotated[bool, typer.Option("--no-mouse", help="leave the mouse to the terminal")]
ReadOnly = Annotated[bool, typer.Option("--read-only", help="look, do not steer")]
Tmux = Annotated[bool, typer.Option("--tmux", help="the screen inside of tmux, so that it outlives this terminal")]
RUN_DISPLAYS: Final = ("full", "plain", "json", "none")
ATTACH_DISPLAYS: Final = ("full", "plain", "json")


@dataclass(frozen=True, slots=True)
class Look:
    """How the screen is asked to look. theme: one of `themes.NAMES`, "" = what fits the terminal.
    color: one of `colours.NAMES`."""

    theme: str = ""
    color: str = "auto"
    ascii: bool = False
    mouse: bool = True
    read_only: bool = False
    tmux: bool = False

    @property
    def words(self) -> list[str]:
        """As options of `attach`."""
        said = [("--ascii", self.ascii), ("--no-mouse", not self.mouse), ("--read-only", self.read_only)]
        named = [("--theme", self.theme, ""), ("--color", self.color, "auto")]
        return [
            *(word for name, value, usual in named if value != usual for word in (name, value)),
            *(word for word, asked in said if asked),
        ]

    def here(self, environment: Mapping[str, str]) -> "Look":
        """With what the environment of this terminal adds: a screen inside of tmux has another one."""
        from app.colours import settled
        from app.glyphs import needs_ascii

        ascii_only = self.ascii or needs_ascii(environment)
        return replace(self, color=settled(self.color, environment), ascii=ascii_only)


def display_of(asked: str, known: Sequence[str], *, headless: bool = False) -> str:
    """The display to use: as asked, else none without a screen, full on a terminal, plain elsewhere.

    Raises: UsageError for one that is not known, or that contradicts --headless.
    """
    if asked and asked not in known:
        raise UsageError(f"display {asked!r}: there is none of that name; displays: {', '.join(known)}")
    if asked == "full" and headless:
        raise UsageError("--headless and --display full contradict each other; give one of them")
    term = os.environ.get("TERM", "")
    drawable = term not in ("", "dumb")
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if asked == "full" and terminal and not drawable:
        raise UsageError(f"--display full: nothing can be drawn on a terminal with TERM={term}; use --display plain")
    if asked:
        return asked
    if headless:
        return "none"
    if terminal and not drawable:
        typer.echo(
            f"kernelwright: nothing can be drawn with TERM={term}: one line an event, as --display plain", err=True
        )
    return "full" if terminal and drawable else "plain"


def check(look: Look, home: Path) -> None:
    """Raises: UsageError for a theme or colours that are not there, or for keys of the settings file that cannot be
    bound; MissingError without the tmux that is asked for."""
    from app.keymap import keymap_of

    keymap_of(home)
    if look.tmux:
        from app import tmux

        tmux.check()
    if look.theme:
        from app import themes

        _known("theme", look.theme, themes.NAMES)
    if look.color != "auto":
        from app import colours

        _known("color", look.color, colours.NAMES)


def _known(what: str, asked: str, names: Sequence[str]) -> None:
    if asked not in names:
        raise UsageError(f"{what} {asked!r}: there is none of that name; {what}s: {', '.join(names)}")


def show(home: Path, launch: "Launch | None", look: Look) -> int:
    """Opens the screen on this terminal; the exit code."""
    from app import farewell

    look = look.here(os.environ)
    if look.tmux:
        from app import tmux

        tmux.show(home, look.words, launch)
        return farewell.say(home, launch, "detached")
    from app.keymap import keymap_of
    from app.options import COPIED, UiOptions
    from app.screen import open_screen

    with data_of(home, launch, look) as data:
        copied_at = 0.0 if data == home else time.time()
        options = UiOptions(
            home / COPIED, look.theme, look.color, look.ascii, look.mouse, look.read_only, keymap_of(home),
            copied_at=copied_at,
        )  # fmt: skip
        ended = open_screen(data, options)
    return farewell.say(home, launch, ended)


@contextmanager
def data_of(home: Path, launch: "Launch | None", look: Look) -> Generator[Path]:
    """Where to read: the home; to look only at one of an older version, whose engine may run, a migrated copy of it."""
    from store.older import is_older, migrated_copy

    begun = launch is not None and launch.process is not None
    if begun or not look.read_only or not is_older(home):
        yield home
        return
    typer.echo(f"kernelwright: {home} is of an older version: this is a copy of it as it is now", err=True)
    with migrated_copy(home) as copy:
        yield copy
