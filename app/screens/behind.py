"""A screen that costs nothing while a dialog stands before it and nothing changes."""

from textual.screen import Screen
from typing_extensions import override


class Behind(Screen[None]):
    """Textual marks a screen behind a dialog for repainting whenever it has painted it, so that every event that
    reaches it, even a tick without news, paints all of it and the dialog again. What really changed is painted with
    the dialog."""

    @override
    def _compositor_refresh(self) -> None:
        super()._compositor_refresh()
        if self in self.app.screen_stack[:-1]:
            self._repaint_required = False
