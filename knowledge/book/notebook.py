"""Jupyter notebooks: the cells of text are read as Markdown; code and outputs are no documentation and listed so."""

import json
from typing import Any

from knowledge.book.markdown import read_markdown
from knowledge.book.values import Document, Unread


def read_notebook(text: str) -> Document:
    """Raises: ValueError when it is no notebook."""
    cells = _cells(json.loads(text))
    prose = "\n\n".join(_source(cell) for cell in cells if cell.get("cell_type") == "markdown")
    read = read_markdown(prose.encode("utf-8", "replace").decode())
    return Document(read.sections, (*read.unread, *_left_out(cells)))


def _cells(found: Any) -> list[dict[str, Any]]:
    if not isinstance(found, dict) or not isinstance(found.get("cells"), list):
        raise ValueError("it has no cells")
    return [cell for cell in found["cells"] if isinstance(cell, dict)]


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(map(str, source))


def _left_out(cells: list[dict[str, Any]]) -> list[Unread]:
    code = [number for number, cell in enumerate(cells) if cell.get("cell_type") == "code"]
    outputs = [number for number in code if cells[number].get("outputs")]
    found = [Unread("top", "code", f"{len(code)} cells of code", "code is no documentation")] if code else []
    if outputs:
        found.append(Unread("top", "output", f"outputs of {len(outputs)} cells", "outputs are no documentation"))
    return found
