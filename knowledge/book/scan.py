"""Which files a book has, which of them can be read, and which its table of contents names."""

import codecs
import hashlib
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from knowledge.book.values import FileFound, Format, Scan

FORMATS: Final[dict[str, Format]] = {
    ".md": "markdown", ".markdown": "markdown", ".mdx": "markdown", ".rst": "rst", ".html": "html", ".htm": "html",
    ".xhtml": "html", ".txt": "text", ".text": "text", ".ipynb": "notebook",
}  # fmt: skip
PICTURES: Final = frozenset({".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".ico", ".mp4", ".webm"})
CONTENTS: Final = "SUMMARY.md"
HISTORIES: Final = frozenset({".git", ".hg", ".svn"})
MOST_BYTES: Final = 16 << 20


class BookError(Exception):
    """asked: what was wanted; found: what stood in the way; do: what helps."""

    def __init__(self, asked: str, found: str, do: str) -> None:
        super().__init__(f"{asked}: {found}. {do}")


def scan(folder: Path) -> Scan:
    """Every file below the folder but those of a version history; or one file. Raises: BookError."""
    if not folder.exists():
        raise BookError(f"onboard {folder}", "it is not there", "Give the folder of the book, or its one file")
    base, paths = base_of(folder), _paths(folder) if folder.is_dir() else [folder]
    files = [_file(base, path) for path in paths]
    if not any(not file.reason for file in files):
        known = ", ".join(sorted(FORMATS))
        raise BookError(f"onboard {folder}", f"{len(files)} files, none that can be read", f"Readable are {known}")
    contents = min((f.path for f in files if PurePosixPath(f.path).name == CONTENTS), key=_depth, default=None)
    listed, missing = _listed(base, contents, {file.path for file in files}) if contents is not None else (None, ())
    whole = hashlib.sha256(
        "\n".join(f"{file.path} {file.sha256}" for file in files).encode("utf-8", "backslashreplace")
    )
    return Scan(tuple(_marked(file, listed, contents) for file in files), whole.hexdigest(), missing)


def base_of(book: Path) -> Path:
    """What paths of its files are relative to."""
    return book if book.is_dir() else book.parent


def decoded(kind: Format, data: bytes) -> str:
    """UTF-8, or what an HTML page says of itself. NUL becomes U+FFFD. Raises: UnicodeDecodeError."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        named = declared_encoding(data) if kind == "html" else None
        if named is None or not known_encoding(named):
            raise
        text = data.decode(named)
    return text.replace("\0", "\ufffd")


def declared_encoding(data: bytes) -> str | None:
    from bs4.dammit import EncodingDetector  # late: where nothing is read, no parser is needed

    return EncodingDetector.find_declared_encoding(data, is_html=True)


def known_encoding(name: str) -> bool:
    try:
        return bool(codecs.lookup(name))
    except LookupError:
        return False


def _depth(path: str) -> tuple[int, str]:
    return path.count("/"), path


def _paths(folder: Path) -> Iterator[Path]:
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in HISTORIES)
        linked = [name for name in folders if (Path(where) / name).is_symlink()]
        for name in sorted([*names, *linked]):
            yield Path(where) / name


def _file(folder: Path, path: Path) -> FileFound:
    name = path.relative_to(folder).as_posix()
    kind: Format = FORMATS.get(path.suffix.lower(), "text" if path.name in ("README", "INSTALL", "NOTES") else "other")
    if not is_text(name):
        return FileFound(ascii(name), "other", "", 0, "its name is not UTF-8")
    if path.is_symlink() or not path.is_file():
        return FileFound(name, "other", "", 0, "a link or special file; links are not followed")
    size = path.stat().st_size
    if size > MOST_BYTES:
        return FileFound(name, "other", f"{size} bytes", size, f"larger than {MOST_BYTES >> 20} MiB")
    try:
        data = path.read_bytes()
    except OSError as error:
        return FileFound(name, "other", "", size, f"could not be opened: {error.strerror}")
    return FileFound(name, kind, hashlib.sha256(data).hexdigest(), size, _reason(path, kind, data))


def is_text(name: str) -> bool:
    """A name that the file system holds may be any bytes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _reason(path: Path, kind: Format, data: bytes) -> str:
    suffix = path.suffix.lower()
    if suffix in PICTURES:
        return "its content is a picture, not text"
    if kind == "other":
        return f"no documentation format that is known here ({suffix or 'no suffix'})"
    try:
        text = decoded(kind, data)
    except UnicodeDecodeError as error:
        return f"not UTF-8 (byte {error.start})"
    return "" if text.strip() else "it is empty"


def _marked(file: FileFound, listed: frozenset[str] | None, contents: str | None) -> FileFound:
    if listed is None or file.path == contents or file.kind == "other":
        return file
    return replace(file, listed=file.path in listed)


def _listed(folder: Path, contents: str, there: set[str]) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """Chapters that the table of contents names: those that are there, and what is missing."""
    base = PurePosixPath(contents).parent
    found, missing = set[str](), list[tuple[str, str]]()
    text = (folder / contents).read_bytes().decode("utf-8-sig", "replace")
    for title, target in _links(text):
        path = os.path.normpath((base / target.partition("#")[0]).as_posix()) if target else ""
        if path in there:
            found.add(path)
        else:
            missing.append((contents, f"{title} ({path or 'a draft without a file'})"))
    return frozenset(found), tuple(missing)


def _links(text: str) -> Iterator[tuple[str, str]]:
    from markdown_it import MarkdownIt  # late: likewise

    for token in MarkdownIt("commonmark").parse(text):
        children = token.children or []
        for index, child in enumerate(children):
            if child.type == "link_open":
                title = children[index + 1].content if index + 1 < len(children) else ""
                yield title, str(child.attrGet("href") or "")
