"""The palette's screen: what was typed and what may be chosen belong together."""

from textual import on
from textual.command import Command, CommandList, CommandPalette, SearchIcon
from textual.fuzzy import Matcher
from textual.widgets import Input


class Palette(CommandPalette):
    """Until a search has answered, the list holds what the one before it found; enter must not run any of that which
    no longer fits what was typed."""

    def on_mount(self) -> None:
        self.query_one(SearchIcon).icon = ">"  # the sign of the library is as wide as each terminal takes it to be

    @on(Input.Changed)
    def narrow(self, event: Input.Changed) -> None:
        """Keeps the entries that fit the new words, the best first."""
        words = event.value.strip()
        if not words:
            return
        matcher, entries = Matcher(words), self.query_one(CommandList)
        commands = [option for option in entries.options if isinstance(option, Command)]
        ranked = sorted(((matcher.match(str(one.hit.text)), one) for one in commands), key=lambda pair: -pair[0])
        entries.set_options([one for score, one in ranked if score > 0])
        entries.highlighted = 0 if entries.option_count else None
