"""Texts of an OpenCL source: templates, address spaces of arrays, places of edits."""

import re
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Final

from tree_sitter import Node

from kernels.levers.opencl_c.work_items import WorkItems
from kernels.levers.scope import parameters

TEMPLATES: Final = Path(__file__).parent / "templates"
_SPACE: Final = re.compile(r"\b(?:__)?(global|constant|local)\b")


@lru_cache(maxsize=8)
def _template(name: str) -> Template:
    return Template((TEMPLATES / name).read_text(encoding="utf-8"))


def fill(name: str, **values: object) -> str:
    """A template of this package with its $names filled in. Raises: KeyError when one is missing."""
    return _template(name).substitute(values).rstrip("\n")


def slice_of(source: str, node: Node, shift: int = 0) -> str:
    """The text of the source where a node of its masked form stands. shift: bytes that the node lies too far on."""
    return source.encode()[node.start_byte - shift : node.end_byte - shift].decode()


def space_of(source: str, items: WorkItems, name: str) -> str:
    """`__global`, `__constant`, `__local`, or `__private` for an array of the function itself."""
    listed = source.encode()[items.function.start_byte : items.body.start_byte].decode()
    at = [one.name for one in parameters(items.function)]
    if name not in at:
        return "__private"
    inside = listed[listed.index("(", listed.index(items.name)) + 1 : listed.rindex(")")]
    found = _SPACE.search(inside.split(",")[at.index(name)])
    return f"__{found[1]}" if found else "__private"


def indented(text: str, blanks: int) -> str:
    """Lines, each with so many blanks in front; "" for no text."""
    return "".join(f"{' ' * blanks}{line.strip()}\n" if line.strip() else "" for line in text.splitlines())


def line_start(source: str, at: int) -> int:
    """Offset in bytes of the line of a byte."""
    return source.encode().rfind(b"\n", 0, at) + 1
