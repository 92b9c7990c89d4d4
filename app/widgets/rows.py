"""A list of any length, a line an entry: draws only what is visible."""

from typing_extensions import override

from app.sanitise import fit
from app.views import Line, Tone
from app.widgets.chooser import Chooser


class Rows(Chooser, can_focus=True):
    """The list of most tabs."""

    _why_empty = ""

    def explain(self, text: str) -> None:
        """What stands there while the list is empty."""
        if text != self._why_empty:
            self._why_empty = text
            self.fit_content()
            self.repaint_changed()

    @override
    def count(self) -> int:
        return self.size_of_list or bool(self._why_empty)

    @override
    def content_width(self) -> int:
        return 0

    @override
    def span_of(self, index: int) -> tuple[int, int]:
        return index, 1

    @override
    def index_at(self, x: int, y: int) -> int:
        return y

    @override
    def line(self, index: int) -> tuple[Line, str]:
        if not self.size_of_list:
            return ((" ", ""), (fit(self._why_empty, max(1, self.size.width - 1)), "dim")), ""
        row = self._supplier.row(index, self.scrollable_content_region.width - 1)
        lead = self.lead(index)
        tone: Tone = "warn" if lead == "*" else ""
        under = ("tone--cursor" if self.has_focus else "tone--cursor-blurred") if index == self.cursor else ""
        return ((lead, tone), *row), under or ("tone--marked" if lead == "*" else "")
