"""One file of a book, read by its format."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from knowledge.book import html, markdown, notebook, plain_text, rst
from knowledge.book.scan import BookError, base_of, decoded
from knowledge.book.values import Document, FileFound, Format, fold

READERS: Final[Mapping[Format, Callable[[str], Document]]] = {
    "markdown": markdown.read_markdown, "rst": rst.read_rst, "html": html.read_html, "text": plain_text.read_text,
    "notebook": notebook.read_notebook,
}  # fmt: skip
PLAIN: Final[Mapping[Format, Callable[[str], str]]] = {
    "markdown": markdown.plain, "notebook": markdown.plain, "rst": rst.plain,
}  # fmt: skip


def read_file(folder: Path, file: FileFound) -> Document:
    """Raises: BookError, which says why the file could not be read."""
    try:
        data = (base_of(folder) / file.path).read_bytes()
        return READERS[file.kind](decoded(file.kind, data))
    except (OSError, ValueError, RecursionError, AttributeError, TypeError, LookupError) as error:
        said = str(error) or type(error).__name__
        raise BookError(f"read {file.path}", said, "Correct the file, or go on without it") from error


def plain(kind: str, source: str) -> str:
    """A piece of inline source of this format as a reader sees it."""
    found = PLAIN.get(kind)
    return fold(source) if found is None else found(source)
