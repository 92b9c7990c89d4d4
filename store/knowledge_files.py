"""Which files of skills, rules and probes changed since this home last looked: somebody edited them by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from sqlmodel import Session
from typing_extensions import override

from store import events, setting

PREFIX: Final = "knowledge files of "
How = Literal["added", "edited", "removed"]


@dataclass(frozen=True, slots=True)
class FileChange:
    name: str
    how: How

    @override
    def __str__(self) -> str:
        return f"{self.name} {self.how} by hand"


def notice(s: Session, kind: str, digests: Mapping[str, str], workspace: Path | None = None) -> tuple[FileChange, ...]:
    """What changed of one kind since the last call, by name; an event each. digests: of the files as they are now.
    workspace: where those lie that are not shipped. The first look from there finds nothing changed."""
    key = f"{PREFIX}{kind}{'' if workspace is None else f' in {workspace}'}"
    before, now = setting.get(s, key), dict(digests)
    if before == now:
        return ()
    setting.put(s, key, now)
    found = tuple(_changes(before, now)) if before is not None else ()
    for change in found:
        events.append(s, None, "knowledge_file", change.name, f"{kind} {change}", how=change.how, of=kind)
    return found


def _changes(before: Mapping[str, str], now: Mapping[str, str]) -> list[FileChange]:
    found = [FileChange(name, "removed") for name in before if name not in now]
    found += [FileChange(name, "added") for name in now if name not in before]
    found += [FileChange(name, "edited") for name in now if name in before and before[name] != now[name]]
    return sorted(found, key=lambda change: change.name)
