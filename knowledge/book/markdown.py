"""Markdown and mdBook chapters, by markdown-it."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from knowledge.book.builder import Builder
from knowledge.book.html import add_html
from knowledge.book.values import Block, BlockKind, Document, fold

IMAGE: Final = "its content is a picture, not text"
INCLUDE: Final = re.compile(r"\{\{#(?:include|rustdoc_include|playground|example)\s+([^}]+)\}\}")
OWN_ANCHOR: Final = re.compile(r"\s*\{#([\w.:-]+)[^}]*\}\s*$")
DIAGRAMS: Final = frozenset({"mermaid", "dot", "graphviz", "plantuml", "svgbob", "ditaa"})


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def read_markdown(text: str) -> Document:
    builder = Builder()
    _Reader(text, builder).read()
    return builder.done()


def plain(source: str) -> str:
    """Inline Markdown as a reader sees it: links as their label, no emphasis, images left out, code in backticks."""
    tokens = _parser().parseInline(source)
    return fold("".join(_shown(child) for token in tokens for child in token.children or ()))


def _shown(token: Token) -> str:
    match token.type:
        case "text" | "text_special":
            return token.content
        case "code_inline":
            return f"`{token.content}`"
        case "softbreak" | "hardbreak":
            return " "
        case _:
            return ""


class _Reader:
    """Goes through the tokens of one document once; containers are known by their depth."""

    def __init__(self, text: str, builder: Builder) -> None:
        self.lines = text.splitlines()
        self.builder = builder
        self.tokens: Sequence[Token] = _parser().parse(text)
        self.quotes = self.items = 0
        self.in_head = False
        self.cells: list[str] = []
        self.header: tuple[str, ...] = ()
        self.header_source = ""

    def read(self) -> None:
        for index, token in enumerate(self.tokens):
            match token.type:
                case "heading_open":
                    self._heading(token, self.tokens[index + 1])
                case "blockquote_open" | "blockquote_close":
                    self.quotes += token.nesting
                case "list_item_open" | "list_item_close":
                    self.items += token.nesting
                case "inline":
                    self._inline(token, self.tokens[index - 1].type)
                case "thead_open" | "thead_close":
                    self.in_head = token.nesting > 0
                case "tr_open":
                    self.cells = []
                    self._row(token, self._cells_after(index))
                case "fence" | "code_block":
                    self._code(token)
                case "html_block":
                    add_html(self.builder, token.content)
                case _:
                    pass

    def _heading(self, token: Token, inline: Token) -> None:
        named = OWN_ANCHOR.search(inline.content)
        title = plain(OWN_ANCHOR.sub("", inline.content))
        self.builder.heading(int(token.tag[1:]), title, named[1] if named else "")

    def _inline(self, token: Token, before: str) -> None:
        self._note_images(token)
        if before in ("th_open", "td_open", "heading_open"):
            return
        source = re.sub(r"^\[![A-Z]+\]\s*", "", token.content) if self.quotes else token.content
        for name in INCLUDE.findall(source):
            self.builder.skip("include", name.strip(), "it is included from outside of the book")
        self.builder.add(Block(self._kind(), source, plain(INCLUDE.sub("", source))))

    def _kind(self) -> BlockKind:
        return "quote" if self.quotes else "item" if self.items else "paragraph"

    def _cells_after(self, index: int) -> tuple[str, ...]:
        cells: list[str] = []
        for token in self.tokens[index + 1 :]:
            if token.type == "tr_close":
                break
            if token.type == "inline":
                cells.append(plain(token.content))
        return tuple(cells)

    def _row(self, token: Token, cells: tuple[str, ...]) -> None:
        first, last = token.map or (0, 0)
        source = " ".join(re.sub(r"^[\s>]+", "", line) for line in self.lines[first:last]).strip()
        shown = " | ".join(cells)
        if self.in_head:
            self.header, self.header_source = cells, source
            self.builder.add(Block("header", source, shown, cells))
        else:
            self.builder.add(Block("row", source, shown, cells, self.header, self.header_source))

    def _code(self, token: Token) -> None:
        words = re.split(r"[\s,{]", token.info.strip(), maxsplit=1)
        if words[0].lower() in DIAGRAMS:
            self.builder.skip("diagram", fold(token.content)[:80], f"a diagram in the language {words[0]}")
        for name in INCLUDE.findall(token.content):
            self.builder.skip("include", name.strip(), "it is included from outside of the book")
        self.builder.add(Block("code", token.content, token.content))

    def _note_images(self, token: Token) -> None:
        for child in token.children or ():
            if child.type == "image":
                self.builder.skip("image", f"{child.attrGet('src')} ({child.content})", IMAGE)
            elif child.type == "html_inline" and re.match(r"<(img|svg|video|iframe)\b", child.content, re.IGNORECASE):
                self.builder.skip("image", fold(child.content)[:120], IMAGE)
