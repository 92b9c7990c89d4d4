"""Plain text: headings are underlined, numbered or in capitals and stand alone; paragraphs end at a blank line."""

import re
from typing import Final

from knowledge.book.builder import Builder
from knowledge.book.values import Block, Document, fold

UNDERLINE: Final = re.compile(r"\s*([=\-~^#*])\1{2,}\s*")
NUMBERED: Final = re.compile(r"(\d+(?:\.\d+)*)\.?\s+([A-Z][^.!?]{1,80})")
CAPITALS: Final = re.compile(r"[A-Z][A-Z0-9 /,&()_-]{3,80}")
ITEM: Final = re.compile(r"\s*(?:[-*•]|\d+[.)])\s+")


def read_text(text: str) -> Document:
    builder = Builder()
    for part in re.split(r"\n[ \t]*(?:\n[ \t]*)+", text.replace("\r\n", "\n").strip("\n")):
        _part(builder, part.split("\n"))
    return builder.done()


def _part(builder: Builder, lines: list[str]) -> None:
    if len(lines) >= 2 and UNDERLINE.fullmatch(lines[1]) and not UNDERLINE.fullmatch(lines[0]):
        builder.heading("=-~^#*".index(lines[1].strip()[0]) + 1, fold(lines[0]))
        lines = lines[2:]
    elif len(lines) == 1 and (numbered := NUMBERED.fullmatch(lines[0].strip())):
        builder.heading(numbered[1].count(".") + 1, fold(lines[0]))
        return
    elif len(lines) == 1 and CAPITALS.fullmatch(lines[0].strip()):
        builder.heading(1, fold(lines[0]))
        return
    _body(builder, [line for line in lines if not UNDERLINE.fullmatch(line)])


def _body(builder: Builder, lines: list[str]) -> None:
    """One paragraph, or one block for each list item in it."""
    item, held = False, list[str]()
    for line in lines:
        if marker := ITEM.match(line):
            _add(builder, held, item=item)
            item, held = True, [line[marker.end() :]]
        else:
            held.append(line)
    _add(builder, held, item=item)


def _add(builder: Builder, lines: list[str], *, item: bool) -> None:
    source = "\n".join(lines)
    builder.add(Block("item" if item else "paragraph", source, fold(source)))
