"""Dialogs: a question with named choices, and the help made of the key table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input
from typing_extensions import override

from app.keys import GROUPS, KEYS, Key, shown_keys
from app.sanitise import clean
from app.views import Line, Tone, count, fit, wrap
from app.widgets.lines import Lines, Scrolling

CANCEL = ""
WIDTH: Final = 74
BUTTON_ROWS: Final = 2
TYPING_ROWS: Final = 4
"""Of a dialog, as its style sheet has them."""


def folded_lines(lines: Sequence[Line], width: int) -> list[Line]:
    """Lines of one tone each, wrapped."""
    return [((row, line[0][1]),) for line in lines for row in wrap(line[0][0], width) or [""]]


def shortened(rows: Sequence[Line], room: int) -> list[Line]:
    """At most `room`; what is left out of a list is counted. What follows it, below an empty line, stays if it fits."""
    if len(rows) <= room:
        return list(rows)
    empty = max((number for number, row in enumerate(rows) if not row[0][0]), default=len(rows))
    after = list(rows[empty:]) if len(rows) - empty < room - 1 else []
    kept = room - 1 - len(after)
    more: Line = ((f"... {count(len(rows) - kept - len(after), 'more line')}", "dim"),)
    return [*rows[:kept], more, *after]


@dataclass(frozen=True, slots=True)
class Choice:
    """One button: value comes back, key presses it."""

    value: str
    label: str
    key: str


class Ask(ModalScreen[str]):
    """A question. The first choice has the focus; escape answers CANCEL.

    must_type: only after this text was typed does enter answer with the last choice; the line for it has the focus.
    """

    AUTO_FOCUS = "Input, Button"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "answer('')", "cancel"),
        Binding("left,up,shift+tab", "app.focus_previous", "previous", show=False),
        Binding("right,down,tab", "app.focus_next", "next", show=False),
    ]

    def __init__(self, title: str, lines: Sequence[Line], choices: Sequence[Choice], *, must_type: str = "") -> None:
        super().__init__()
        self.question = title
        self._about, self._choices, self._must_type = tuple(lines), tuple(choices), must_type
        self._box = Vertical(id="dialog")
        self._text = Lines(widget_id="dialog-text")
        self._typing = Input(placeholder=f"type {clean(must_type, 40)} to confirm", id="dialog-input")

    @override
    def compose(self) -> ComposeResult:
        with self._box:
            self._box.border_title = Content(clean(self.question, 100))
            yield self._text
            if self._must_type:
                yield self._typing
            with Horizontal(id="dialog-buttons"):
                for choice in self._choices:
                    yield Button(
                        Content(clean(choice.label, 40)), id=f"choice-{choice.value or 'cancel'}", compact=True
                    )

    def on_mount(self) -> None:
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        """All of it folded to the width, as far as there are rows; input and buttons are never pushed out."""
        frame = self._box.gutter
        rows = folded_lines(self._about, max(1, min(WIDTH, self.app.size.width) - frame.width))
        room = self.app.size.height - frame.height - BUTTON_ROWS - (TYPING_ROWS if self._must_type else 0)
        rows = shortened(rows, max(1, room))
        self._text.styles.height = len(rows)
        self._text.show(rows)

    def on_key(self, event: events.Key) -> None:
        if isinstance(self.focused, Input):
            return
        for choice in self._choices:
            if event.key == choice.key and not (self._must_type and choice is self._choices[-1]):
                event.stop()
                self.dismiss(choice.value)
                return

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        value = (event.button.id or "").removeprefix("choice-")
        self._answer(CANCEL if value == "cancel" else value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._answer(self._choices[-1].value)

    def _answer(self, value: str) -> None:
        if value == self._choices[-1].value and not self._typed():
            self._typing.value = ""  # what has to be typed stands there again
            self.set_focus(self._typing)
        else:
            self.dismiss(value)

    def _typed(self) -> bool:
        return not self._must_type or self._typing.value.strip() == self._must_type

    def action_answer(self, value: str) -> None:
        self.dismiss(value)


class Sheet(ModalScreen[None]):
    """A page to read; the movement keys scroll it, escape closes it. make: its lines for a width."""

    AUTO_FOCUS = "#sheet"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter,f1", "close", "close"),
        Binding("j,down", "move(1)", show=False),
        Binding("k,up", "move(-1)", show=False),
        Binding("ctrl+d,pagedown,space", "page(1)", show=False),
        Binding("ctrl+u,pageup", "page(-1)", show=False),
    ]

    def __init__(self, title: str, make: Callable[[int], Sequence[Line]]) -> None:
        super().__init__()
        self._make = make
        self.panel = Scrolling(f"{title}  (esc closes)", widget_id="sheet")

    @override
    def compose(self) -> ComposeResult:
        yield self.panel

    def on_mount(self) -> None:
        self.panel.show_with(self._make)

    def action_close(self) -> None:
        self.dismiss(None)

    def action_move(self, step: int) -> None:
        self.panel.move(step)

    def action_page(self, step: int) -> None:
        self.panel.page(step)


class Help(Sheet):
    """Every key, by group."""

    def __init__(self, keys: Sequence[Key] = KEYS) -> None:
        super().__init__("keys", lambda width: help_lines(keys, width))


SIGNS: Final[tuple[tuple[str, Tone, str], ...]] = (
    ("+", "good", "kept, faster, passed"), ("-", "dim", "rejected or reverted"), ("~", "", "flat, no sign"),
    ("!", "warn", "slower, or wants attention"), (".", "accent", "at work"), ("=", "warn", "paused"),
)  # fmt: skip
KEY_WIDTH: Final = 12


def help_lines(keys: Sequence[Key], width: int) -> list[Line]:
    """The key table, and what the signs mean, folded to the width."""
    lines: list[Line] = []
    for group in GROUPS:
        lines.append(((group, "strong"),))
        lines += [line for key in shown_keys(keys) if key.group == group for line in _key_lines(key, width)]
        lines.append((("", ""),))
    return [*lines, (("Signs", "strong"),), *(((f"  {sign} ", tone), (said, "")) for sign, tone, said in SIGNS)]


def _key_lines(key: Key, width: int) -> list[Line]:
    said = wrap(key.help, max(8, width - KEY_WIDTH)) or [""]
    shown = [fit(f"  {key.shown}", KEY_WIDTH), *[" " * KEY_WIDTH] * (len(said) - 1)]
    return [((head, "accent"), (part, "")) for head, part in zip(shown, said, strict=True)]
