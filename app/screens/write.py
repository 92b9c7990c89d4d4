"""A line of words to an agent."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input
from typing_extensions import override

from app.sanitise import clean


class Write(ModalScreen[str]):
    """enter gives the words, escape nothing."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "give_up", "cancel")]

    def __init__(self, recipient: str) -> None:
        super().__init__()
        self._title = f"to {clean(recipient, 60)}  (enter sends, esc cancels)"
        self._line = Input(placeholder="what it should know or do", id="dialog-input", max_length=2000)

    @override
    def compose(self) -> ComposeResult:
        with Vertical(id="dialog") as box:
            box.border_title = Content(self._title)
            yield self._line

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value.strip())

    def action_give_up(self) -> None:
        self.dismiss("")
