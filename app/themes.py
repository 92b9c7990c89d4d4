"""Dark, light, high contrast and ansi; and which one fits a terminal."""

from collections.abc import Mapping
from typing import Final

from textual.theme import Theme

from app import colours

DARK: Final = Theme(
    name="dark", primary="#6cb6ff", secondary="#4d7ea8", accent="#e0af68", warning="#e0af68", error="#f47067",
    success="#7fc48a", foreground="#d3d7de", background="#14171c", surface="#1a1e25", panel="#23272e", dark=True,
    variables={"border": "#3a4350", "muted": "#8a94a3"},
)  # fmt: skip
LIGHT: Final = Theme(
    name="light", primary="#0a5a9c", secondary="#4a6a86", accent="#8a5a00", warning="#8a5a00", error="#a8201a",
    success="#1f6f35", foreground="#1c2128", background="#fbfbf8", surface="#f2f2ec", panel="#e6e6de", dark=False,
    variables={"border": "#a9b0b8", "muted": "#5c6670"},
)  # fmt: skip
HIGH_CONTRAST: Final = Theme(
    name="high-contrast", primary="#00ffff", secondary="#ffffff", accent="#ffff00", warning="#ffff00", error="#ff6060",
    success="#00ff00", foreground="#ffffff", background="#000000", surface="#000000", panel="#000000", dark=True,
    variables={"border": "#ffffff", "muted": "#e0e0e0"},
)  # fmt: skip
ANSI: Final = Theme(
    name="ansi", ansi=True, primary="ansi_blue", secondary="ansi_cyan", accent="ansi_cyan", warning="ansi_yellow",
    error="ansi_red", success="ansi_green", foreground="ansi_default", background="ansi_default",
    surface="ansi_default", panel="ansi_default", boost="ansi_default", dark=True,
    variables={
        "ansi-background": "ansi_black", "ansi-foreground": "ansi_white",
        "border": "ansi_default", "muted": "ansi_default", "border-blurred": "ansi_default",
        "block-cursor-foreground": "ansi_black", "block-cursor-background": "ansi_white",
        "input-cursor-background": "ansi_white", "input-cursor-foreground": "ansi_black",
        "scrollbar": "ansi_default", "scrollbar-background": "ansi_default",
    },
)  # fmt: skip
THEMES: Final[tuple[Theme, ...]] = (DARK, LIGHT, HIGH_CONTRAST, ANSI)
NAMES: Final = tuple(theme.name for theme in THEMES)


def choose(asked: str, colour: str, environment: Mapping[str, str]) -> str:
    """Without colours ansi, else the asked theme where it exists, else ansi for sixteen colours, else dark.

    colour: as `colours.settled`.
    """
    if colour == colours.NONE:
        return ANSI.name
    if asked in NAMES:
        return asked
    return ANSI.name if colours.few(colour, environment) else DARK.name
