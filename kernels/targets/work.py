"""The folder of one build: empty, then with the files of a candidate, each under a plain name of its own."""

import shutil
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from kernels.targets.base import CompileFailed


def emptied(work: Path) -> Path:
    if work.exists():
        shutil.rmtree(work)
    work.mkdir(parents=True)
    return work


def lay(files: Mapping[str, str], work: Path, suffixes: Sequence[str], reserved: Collection[str]) -> None:
    """reserved: names that the build itself uses. Raises: CompileFailed for a name that is not allowed."""
    for name, text in files.items():
        if Path(name).name != name or name in reserved or Path(name).suffix not in suffixes:
            *most, last = (f"*{suffix}" for suffix in suffixes)
            told = f"file name {name!r} is not allowed: plain {', '.join(most)} or {last}"
            raise CompileFailed("compile_error", told)
        (work / name).write_text(text, encoding="utf-8")
