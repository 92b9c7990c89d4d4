"""The one key table: source of the bindings, the help screen, the footer and the table of docs/keys.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from textual.binding import Binding


@dataclass(frozen=True, slots=True)
class Key:
    """One thing a key does. keys: Textual's names; shown: what the reader sees; footer: belongs to the bottom line."""

    id: str
    keys: tuple[str, ...]
    shown: str
    action: str
    title: str
    help: str
    group: str
    footer: bool = False


GROUPS: Final = ("Moving", "Looking", "Steering", "Program")
TAB_KEYS: Final = tuple(
    Key(f"tab.{n}", (str(n),), str(n), f"tab({n})", f"tab {n}", f"tab {n}", "Moving") for n in range(1, 10)
)
KEYS: Final[tuple[Key, ...]] = (
    Key("move.down", ("j", "down"), "j down", "move(1)", "down", "one row down", "Moving"),
    Key("move.up", ("k", "up"), "k up", "move(-1)", "up", "one row up", "Moving"),
    Key("move.top", ("g", "home"), "g", "edge(-1)", "top", "first row", "Moving"),
    Key("move.bottom", ("G", "end"), "G", "edge(1)", "bottom", "last row", "Moving"),
    Key("move.half_down", ("ctrl+d", "pagedown"), "ctrl+d", "page(1)", "page down", "half a page down", "Moving"),
    Key("move.half_up", ("ctrl+u", "pageup"), "ctrl+u", "page(-1)", "page up", "half a page up", "Moving"),
    Key("move.left", ("h", "left"), "h left", "side(-1)", "left", "close a branch, turn the page, or scroll left",
        "Moving"),
    Key("move.right", ("l", "right"), "l right", "side(1)", "right", "open a branch, turn the page, or scroll right",
        "Moving"),
    Key("move.panel", ("tab",), "tab", "panel(1)", "next panel", "next panel", "Moving"),
    Key("move.panel_back", ("shift+tab",), "shift+tab", "panel(-1)", "previous panel", "previous panel", "Moving"),
    Key("tab.next", ("right_square_bracket",), "]", "tab_step(1)", "next tab", "next tab", "Moving"),
    Key("tab.previous", ("left_square_bracket",), "[", "tab_step(-1)", "previous tab", "previous tab", "Moving"),
    Key("view.open", ("enter",), "enter", "open", "open", "open what is selected", "Looking", footer=True),
    Key("view.back", ("escape", "backspace"), "esc", "back", "back", "back: detail, filter, marks, zoom", "Looking"),
    Key("view.filter", ("slash",), "/", "filter", "filter", "show only rows with these words", "Looking", footer=True),
    Key("view.next", ("n",), "n", "match(1)", "next match", "next row that matches", "Looking"),
    Key("view.previous", ("N",), "N", "match(-1)", "previous match", "previous row that matches", "Looking"),
    Key("view.sort", ("s",), "s", "sort", "sort", "sort by the next column", "Looking"),
    Key("view.reverse", ("S",), "S", "reverse", "reverse", "reverse the order", "Looking"),
    Key("view.follow", ("f",), "f", "follow", "follow", "follow the newest row, or stop to", "Looking"),
    Key("view.freeze", ("space",), "space", "freeze", "freeze", "freeze the view; the loop goes on", "Looking",
        footer=True),
    Key("view.zoom", ("z",), "z", "zoom", "zoom", "this panel alone, or all again", "Looking"),
    Key("view.mark", ("m",), "m", "mark", "mark", "mark the row; keys then act on all marks", "Looking"),
    Key("view.range", ("v",), "v", "mark_range", "range", "mark from here to the cursor", "Looking"),
    Key("view.copy", ("y",), "y", "copy", "copy", "copy the row: terminal clipboard and a file", "Looking"),
    Key("view.copy_panel", ("Y",), "Y", "copy_panel", "copy panel", "copy the whole panel", "Looking"),
    Key("view.plots", ("t",), "t", "plots", "plots", "curves or a table, agents as cards or rows", "Looking"),
    Key("view.talk", ("T",), "T", "talk", "transcript", "what the agent and its model said, or its last lines",
        "Looking"),
    Key("view.compare", ("d",), "d", "compare", "compare", "compare the two marked filings, or this one and the next",
        "Looking"),
    Key("view.export", ("e",), "e", "export", "export", "write the filings to CSV and JSON files", "Looking"),
    Key("view.refresh", ("ctrl+r",), "ctrl+r", "refresh_now", "refresh", "read everything again now", "Looking"),
    Key("view.rate", ("u",), "u", "rate", "rate", "look for news every 1/4, 1, 2 or 5 s: less for a slow line",
        "Looking"),
    Key("steer.pause", ("p",), "p", "pause", "pause", "pause or resume the selected agent or kernel", "Steering",
        footer=True),
    Key("steer.pause_all", ("P",), "P", "pause_all", "pause all", "pause or resume the whole loop", "Steering"),
    Key("steer.resume", ("r",), "r", "resume", "resume", "resume the selected agent or kernel", "Steering"),
    Key("steer.resume_all", ("R",), "R", "resume_all", "resume all", "resume the whole loop", "Steering"),
    Key("steer.kill", ("x",), "x", "kill", "kill", "kill the selected agent's work at once (asks)", "Steering",
        footer=True),
    Key("steer.write", ("i",), "i", "write", "message", "write to the selected agent or kernel", "Steering"),
    Key("steer.decide", ("A",), "A", "decide", "decide", "approve or veto what waits: the selected, or the oldest",
        "Steering"),
    Key("steer.hold", ("H",), "H", "hold", "hold device", "hand the device back to you for 60 min, or release it",
        "Steering"),
    Key("steer.extend", ("plus",), "+", "extend", "extend", "extend the budget by 30 min", "Steering"),
    Key("program.palette", ("colon", "ctrl+p"), ":", "app.command_palette", "command", "command palette", "Program",
        footer=True),
    Key("program.help", ("question_mark", "f1"), "?", "help", "help", "this help", "Program", footer=True),
    Key("program.mouse", ("f2",), "F2", "app.mouse", "mouse", "mouse on or off (off: select text freely)", "Program"),
    Key("program.quit", ("q", "ctrl+q"), "q", "app.ask_quit", "detach", "asks: detach (default), stop the loop, cancel",
        "Program", footer=True),
)  # fmt: skip
INTERRUPT: Final = Key(
    "program.interrupt", ("ctrl+c",), "ctrl+c", "app.interrupt", "quit", "once: as q; twice: detach", "Program"
)


def bindings() -> list[Binding | tuple[str, str] | tuple[str, str, str]]:
    """What the main screen binds. Every binding has an id, so that `[keys]` of the settings can move it."""
    return [_binding(key) for key in (*KEYS, *TAB_KEYS)]


def interrupt_binding() -> Binding:
    """ctrl+c, which acts in dialogs and inputs too."""
    return _binding(INTERRUPT, priority=True)


def _binding(key: Key, *, priority: bool = False) -> Binding:
    return Binding(
        ",".join(key.keys),
        key.action,
        key.title,
        show=key.footer,
        id=key.id,
        tooltip=key.help,
        key_display=key.shown,
        priority=priority,
    )


def rebound(keymap: Mapping[str, str]) -> tuple[Key, ...]:
    """The table with the keys of `[keys]` in their places. keymap: ids to keys, several by commas."""
    moved = {name: tuple(part.strip() for part in keys.split(",")) for name, keys in keymap.items()}
    return tuple(replace(k, keys=moved[k.id], shown=" ".join(moved[k.id])) if k.id in moved else k for k in KEYS)


def shown_keys(keys: Sequence[Key] = KEYS) -> tuple[Key, ...]:
    """The table for readers: the nine tab keys are one row."""
    tabs = Key("tab", (), "1-9", "", "tab", "go to the tab of that number", "Moving")
    return (*keys[:10], tabs, *keys[10:], INTERRUPT)


def footer_keys(keys: Sequence[Key] = KEYS) -> tuple[Key, ...]:
    """The bottom line, steering first."""
    chosen = [key for key in keys if key.footer]
    return tuple(sorted(chosen, key=lambda key: -(key.group == "Steering")))


def key_table_markdown() -> str:
    """The table of docs/keys.md."""
    rows = ["| Key | Does |", "|---|---|"]
    rows += [f"| `{key.shown}` | {key.help} |" for group in GROUPS for key in shown_keys() if key.group == group]
    return "\n".join(rows) + "\n"
