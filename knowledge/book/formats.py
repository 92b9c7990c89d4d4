"""One file of a book, read by its format. Parsers are imported when the first file of their format is read."""

from importlib import import_module
from pathlib import Path
from typing import Final

from knowledge.book.scan import BookError, base_of, decoded
from knowledge.book.values import Document, FileFound, Format, fold

READERS: Final[dict[Format, tuple[str, str]]] = {
    "markdown": ("markdown", "read_markdown"), "rst": ("rst", "read_rst"), "html": ("html", "read_html"),
    "text": ("plain_text", "read_text"), "notebook": ("notebook", "read_notebook"),
}  # fmt: skip
PLAIN: Final[dict[str, str]] = {"markdown": "markdown", "notebook": "markdown", "rst": "rst"}


def read_file(folder: Path, file: FileFound) -> Document:
    """Raises: BookError, which says why the file could not be read."""
    module, reader = READERS[file.kind]
    read = getattr(import_module(f"knowledge.book.{module}"), reader)
    try:
        data = (base_of(folder) / file.path).read_bytes()
        found = read(decoded(file.kind, data))
    except (OSError, ValueError, RecursionError, AttributeError, TypeError, LookupError) as error:
        said = str(error) or type(error).__name__
        raise BookError(f"read {file.path}", said, "Correct the file, or go on without it") from error
    if not isinstance(found, Document):
        raise TypeError(f"{module}.{reader} gave no document")
    return found


def plain(kind: str, source: str) -> str:
    """A piece of inline source of this format as a reader sees it."""
    module = PLAIN.get(kind)
    return fold(source) if module is None else str(import_module(f"knowledge.book.{module}").plain(source))
