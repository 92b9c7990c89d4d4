"""What the parts of the screen say to each other."""

from dataclasses import dataclass, field

from textual.message import Message
from typing_extensions import override

Arguments = dict[str, object]


@dataclass(frozen=True, slots=True)
class Target:
    """What a steering key acts on. kind: agent, kernel, node. name: what the command row gets; about: for dialogs.
    node: the selected node of the Design Trees, where there is one."""

    kind: str
    name: str
    about: str = ""
    node: int | None = None


@dataclass(frozen=True, slots=True)
class Steer:
    """One command on its way: `verb` on `target` (an agent, a kernel, a node's id, "all", "" = the campaign)."""

    verb: str
    target: str = ""
    arguments: Arguments = field(default_factory=dict)


class Wanted(Message):
    """A pane wants its data read again now: its filter or order changed; detail: only its selection did."""

    def __init__(self, *, detail: bool) -> None:
        super().__init__()
        self.detail = detail

    @override
    def can_replace(self, message: Message) -> bool:
        return isinstance(message, Wanted) and message.detail == self.detail


class Moved(Message):
    """The cursor of a list stands on another row."""

    def __init__(self, list_id: str) -> None:
        super().__init__()
        self.list_id = list_id

    @override
    def can_replace(self, message: Message) -> bool:
        return isinstance(message, Moved) and message.list_id == self.list_id


class Opened(Message):
    """A row was opened with enter or a click."""

    def __init__(self, list_id: str) -> None:
        super().__init__()
        self.list_id = list_id


class KeyAsked(Message):
    """A key of the footer was clicked: its action is wanted."""

    def __init__(self, action: str) -> None:
        super().__init__()
        self.action = action


class TabAsked(Message):
    """The tab bar was clicked."""

    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index
