"""The hashes of a pack's deciding files, kept beside a campaign in the form of `sha256sum`: so that a start that finds
the pack changed can say which files a person has to put back."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from kernels.packs.loader import deciding_files
from kernels.values.kernel import Pack
from roles.grader import mark_of

NAME: Final = "pack.sha256"


def keep(folder: Path, pack: Pack) -> None:
    """Write the list into the campaign's folder. Raises: OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{mark}  {name}\n" for name, mark in _marks(pack).items()]
    (folder / NAME).write_text("".join(lines), encoding="utf-8")


def changes(folder: Path, pack: Pack) -> tuple[str, ...]:
    """`gemv/reference.py changed`, `... deleted`, `... added`; none where no list was kept."""
    path = folder / NAME
    if not path.exists():
        return ()
    then = {name: mark for mark, name in (line.split("  ", 1) for line in path.read_text("utf-8").splitlines())}
    now = _marks(pack)
    return tuple(f"{name} {_what(then.get(name), now.get(name))}" for name in sorted({*then, *now})
                 if then.get(name) != now.get(name))  # fmt: skip


def _marks(pack: Pack) -> Mapping[str, str]:
    files = deciding_files(pack.folder, [kernel.name for kernel in pack.kernels])
    return {file.relative_to(pack.folder).as_posix(): mark_of(file) for file in files}


def _what(then: str | None, now: str | None) -> str:
    return "added" if then is None else "deleted" if now is None else "changed"
