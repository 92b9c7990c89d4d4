"""`[keys]` of the settings file: a person's own keys for the screen, by the ids of `app.keys`.

[keys]
"steer.kill" = "X"
"view.open" = "enter,o"
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.settings import FILE, KEYS, UsageError, from_file


def keymap_of(home: Path) -> dict[str, str]:
    """Raises: UsageError for an id that is not there, a key that is no text, and one that two actions would have."""
    raw = from_file(home).get(KEYS, {})
    if not raw:
        return {}
    if not isinstance(raw, Mapping):
        raise UsageError(f"{FILE}: [keys] has to be a table of ids and keys, found {raw!r}")
    return _checked({str(name): _text(str(name), value) for name, value in raw.items()})


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f'{FILE}: keys.{name}: has to be a key as text, e.g. "X" or "ctrl+k,K"; found {value!r}')
    return value


def _checked(keymap: dict[str, str]) -> dict[str, str]:
    from app.keys import KEYS as TABLE
    from app.keys import TAB_KEYS, rebound

    known = [key.id for key in TABLE]
    if unknown := sorted(set(keymap) - set(known)):
        raise UsageError(f"{FILE}: keys.{unknown[0]}: there is no such action; actions: {', '.join(known)}")
    taken: dict[str, str] = {}
    for key in (*rebound(keymap), *TAB_KEYS):
        for name in key.keys:
            if name in taken:
                raise UsageError(
                    f"{FILE}: key {name!r} would be that of {taken[name]} and of {key.id}; move one of them"
                )
            taken[name] = key.id
    return keymap
