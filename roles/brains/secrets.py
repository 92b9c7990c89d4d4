"""Keys stay where they are: whatever is written down or shown goes through here first."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

USUAL = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "OPENAI_ADMIN_KEY")
SHORTEST = 6
INSTEAD = "[key]"
SHAPES = re.compile(r"\bsk-[A-Za-z0-9_-]{16,}")


@dataclass(frozen=True, slots=True)
class Secrets:
    """names: further variables that hold keys."""

    names: tuple[str, ...] = ()

    def without(self, text: str) -> str:
        """The text with every key that this process knows, and whatever looks like one, taken out."""
        for value in self._values():
            text = text.replace(value, INSTEAD)
        return SHAPES.sub(INSTEAD, text)

    def _values(self) -> Iterable[str]:
        found = (os.environ.get(name, "").strip() for name in (*USUAL, *self.names))
        return sorted((value for value in found if len(value) >= SHORTEST), key=len, reverse=True)
