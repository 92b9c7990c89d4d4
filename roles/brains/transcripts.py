"""What was said, kept as artefacts. A request names the artefacts of its parts, so that what two of them share is kept
once."""

import json
from dataclasses import asdict

from roles.brains.secrets import Secrets
from roles.brains.talk import Ask, Turn
from store.artefacts import Artefacts


class Transcripts:
    def __init__(self, artefacts: Artefacts, secrets: Secrets) -> None:
        self._artefacts = artefacts
        self._secrets = secrets

    def request(self, ask: Ask, provider: str, model: str) -> str:
        """Returns the artefact's hash. Blocks: it writes files."""
        tools = json.dumps([asdict(tool) for tool in ask.tools], sort_keys=True, ensure_ascii=False)
        items = [json.dumps({type(i).__name__: asdict(i)}, sort_keys=True, ensure_ascii=False) for i in ask.items]
        whole = {
            "provider": provider, "model": model, "conversation": ask.conversation, "max_tokens": ask.max_tokens,
            "effort": ask.effort, "system": self._put(ask.system), "tools": self._put(tools),
            "items": [self._put(item) for item in items],
        }  # fmt: skip
        return self._put(json.dumps(whole, sort_keys=True))

    def reply(self, turn: Turn) -> str:
        return self._put(turn.to_json())

    def replies(self, hashes: list[str]) -> list[Turn]:
        """The turns of a conversation, to be played again. Raises: StoreError when one is not there."""
        return [Turn.from_json(self._artefacts.read_text(digest)) for digest in hashes]

    def _put(self, text: str) -> str:
        return self._artefacts.put_text(self._secrets.without(text)).hash
