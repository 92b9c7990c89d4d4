"""The reader that needs no LLM: definitions, limits, rules and rows of tables, by their words. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from knowledge.auditors import WordOrder, WordPieces
from knowledge.book.formats import plain
from knowledge.book.scan import CONTENTS
from knowledge.book.values import Block, Section
from knowledge.citations import Citation
from knowledge.claims import Auditor, Draft
from knowledge.drafting import LONGEST, kind_of, points_back, shortened
from knowledge.sentences import sentences
from knowledge.tokens import identifiers, numbers

EXAMPLE: Final = re.compile(r"\b(?:examples?|walkthrough|tutorial|exercise|case study|changelog)\b", re.IGNORECASE)
NAME: Final = re.compile(r"`?[^\W\d_][\w.:()-]+`?|[^\W\d_`][^`%#|]+")  # no number, no expression, no single letter
FEWEST_COLUMNS: Final = 2


@dataclass(frozen=True, slots=True)
class OfflineReader:
    name: str = "offline"
    auditors: tuple[Auditor, ...] = (WordOrder(), WordPieces())

    def draft(self, document: str, kind: str, section: Section) -> list[Draft]:
        if PurePosixPath(document).name == CONTENTS:
            return []
        found = dict[tuple[str, str], Draft]()
        example = EXAMPLE.search(" ".join((document.replace("-", " "), *section.headings))) is not None
        for block in section.blocks:
            for draft in _of_block(document, kind, section.anchor, block, example=example):
                found.setdefault((draft.text, draft.citations[0].span), draft)
        return list(found.values())


def _of_block(document: str, kind: str, anchor: str, block: Block, *, example: bool) -> Iterator[Draft]:
    if block.kind == "row" and not example:
        yield from _of_row(document, anchor, block)
    elif block.kind in ("paragraph", "item", "quote"):
        yield from _of_text(document, kind, anchor, block, example=example)


def _of_text(document: str, kind: str, anchor: str, block: Block, *, example: bool) -> Iterator[Draft]:
    before = None
    for piece in sentences(block.source):
        shown, span = plain(kind, piece.source), piece.source
        sort = kind_of(shown, in_example=example)
        if sort is not None and points_back(shown):
            if sort == "definition" or before is None or points_back(plain(kind, before.source)):
                sort = None
            else:
                span = block.source[before.start : piece.end]
                shown = plain(kind, span)
                sort = kind_of(shown, in_example=example)
        if sort is not None:
            yield Draft(sort, shortened(shown), (Citation(document, anchor, span),), shown)
        before = piece


def _of_row(document: str, anchor: str, block: Block) -> Iterator[Draft]:
    """A row with a name first and a number after it. The header is cited too; of its words only those without numbers
    and names of code are used, so that the row alone proves these."""
    name, rest = block.cells[:1], block.cells[1:]
    if len(block.cells) < FEWEST_COLUMNS or not NAME.fullmatch(name[0]) or "..." in block.source:
        return
    if len(block.header) != len(block.cells) or not any(numbers(cell) for cell in rest):
        return
    told = [f"{_label(label)} {cell}".strip() for label, cell in zip(block.header[1:], rest, strict=True) if cell]
    text = f"{_label(block.header[0])} {name[0]}: {'; '.join(told)}".strip()
    if len(text) <= LONGEST:
        row, header = Citation(document, anchor, block.source), Citation(document, anchor, block.header_source)
        yield Draft("table", text, (row, header), " | ".join(block.cells))


def _label(header: str) -> str:
    return "" if numbers(header) or identifiers(header) else header
