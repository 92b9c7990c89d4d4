"""Files for a person: each whole or not at all."""

from collections.abc import Mapping
from pathlib import Path


def write_files(folder: Path, texts: Mapping[str, str]) -> Path:
    """Texts by file name into a folder, which is made when it is not there. Raises: OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        write_whole(folder / name, text)
    return folder


def write_whole(path: Path, text: str) -> None:
    """Raises: OSError; what was there before is then there still."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise
