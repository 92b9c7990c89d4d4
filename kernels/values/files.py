"""Folders in which others make and remove files at any moment: editors, engines, commands of a target."""

import stat
from collections.abc import Iterable
from os import stat_result
from pathlib import Path


def listed(folder: Path, pattern: str = "*") -> list[Path]:
    """Sorted; [] when the folder is not there, or goes meanwhile."""
    try:
        return sorted(folder.glob(pattern))
    except FileNotFoundError:
        return []


def still_there(paths: Iterable[Path]) -> dict[Path, stat_result]:
    """Regular files among them, with their facts."""
    found: dict[Path, stat_result] = {}
    for path in paths:
        try:
            facts = path.stat()
        except FileNotFoundError:
            continue
        if stat.S_ISREG(facts.st_mode):
            found[path] = facts
    return found


def text_of(path: Path) -> str | None:
    """UTF-8, other bytes replaced; None when it is gone."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
