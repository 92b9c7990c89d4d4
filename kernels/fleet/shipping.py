"""Requests that name files of this host, made into requests that hold on another one. Pure but for reading files.

A file travels once, by the hash of its content; in a request its path becomes `kw-file:HASH/NAME`, and there it is a
path again.
"""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

MARK: Final = "kw-file:"
RUNNER: Final = ".runner"
Files = dict[str, bytes]


def packed(value: Any, files: Files) -> Any:
    """The same with marks in place of paths of files; what they hold is added to `files` by mark. Blocks."""
    if isinstance(value, Mapping):
        return {name: packed(one, files) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [packed(one, files) for one in value]
    if not isinstance(value, str) or not value.startswith("/") or not Path(value).is_file():
        return value
    beside = Path(value).with_suffix(RUNNER)
    if beside.is_file() and beside != Path(value):
        return _mark(Path(value), files, beside)
    return _mark(Path(value), files)


def _mark(path: Path, files: Files, beside: Path | None = None) -> str:
    """beside: a file that has to lie in the same folder."""
    parts = [one.read_bytes() for one in (path, beside) if one is not None]
    folder = hashlib.sha256(b"\0".join(parts)).hexdigest()
    for one, content in zip((path, beside), parts, strict=False):
        if one is not None:
            files[f"{MARK}{folder}/{one.name}"] = content
    return f"{MARK}{folder}/{path.name}"


def packed_tree(folder: Path) -> Files:
    """A folder's files by their path, which begins with its name."""
    names = sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder.parent).as_posix(): path.read_bytes() for path in names}


def unpacked(value: Any, place: Callable[[str], str]) -> Any:
    """The same with paths in place of marks. place: from a mark to the path there."""
    if isinstance(value, Mapping):
        return {name: unpacked(one, place) for name, one in value.items()}
    if isinstance(value, list):
        return [unpacked(one, place) for one in value]
    return place(value) if isinstance(value, str) and value.startswith(MARK) else value


def put(files: Mapping[str, bytes], folder: Path) -> None:
    """Write what has come; a file that is there stays. Raises: ValueError for a name that leads out of the folder."""
    for mark, content in files.items():
        path = folder / _inside(mark.removeprefix(MARK))
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.part")
            part.write_bytes(content)
            part.chmod(0o755)
            part.replace(path)


def _inside(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"file name {name!r} leads out of its folder")
    return path
