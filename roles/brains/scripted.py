"""A model that says what stands in a file: for tests, and to play a recorded campaign again, bit for bit.

The file is JSON: {"conversations": [[turn, ...], ...]}, each turn as `Turn.to_json` writes it. Conversations are given
out in the order in which they begin; one that is over, or not there, ends at once.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from roles.brains.failure import Final
from roles.brains.prices import SCRIPTED
from roles.brains.talk import END, Ask, Heard, Turn

NOTHING = Turn(END, "nothing more is in the script", (), {"role": "assistant", "content": "nothing more"})


class ScriptedWire:
    provider = SCRIPTED

    def __init__(self, conversations: Sequence[Sequence[Turn]], model: str = SCRIPTED) -> None:
        self.model = model
        self.asked: list[Ask] = []
        self._waiting = [list(turns) for turns in conversations]
        self._begun: dict[str, list[Turn]] = {}

    @classmethod
    def from_file(cls, path: Path) -> "ScriptedWire":
        """Raises: Final when the file is not there or is none of these."""
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
            turns = [[Turn.from_json(json.dumps(turn)) for turn in one] for one in raw["conversations"]]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Final("model", f"{path} is no script: {type(error).__name__} {error}") from error
        return cls(turns, str(path.name))

    async def turn(self, ask: Ask, heard: Heard) -> Turn:
        self.asked.append(ask)
        if ask.conversation not in self._begun:
            self._begun[ask.conversation] = self._waiting.pop(0) if self._waiting else []
        left = self._begun[ask.conversation]
        turn = left.pop(0) if left else NOTHING
        heard.part(turn.text)
        return turn

    @property
    def left(self) -> list[list[Turn]]:
        """Conversations that have not begun."""
        return [list(turns) for turns in self._waiting]

    async def models(self) -> list[str]:
        return [self.model]

    async def close(self) -> None:
        return


def script_of(conversations: Sequence[Sequence[Turn]]) -> str:
    """The text of a file that plays these."""
    return json.dumps({"conversations": [[json.loads(t.to_json()) for t in turns] for turns in conversations]})
