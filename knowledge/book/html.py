"""HTML pages, by beautifulsoup with the parser of the standard library. Nothing of a page is executed or fetched."""

import re
from typing import Final

from bs4 import BeautifulSoup
from bs4.element import Comment, Doctype, NavigableString, PageElement, ProcessingInstruction, Tag

from knowledge.book.builder import Builder
from knowledge.book.values import Block, BlockKind, Document, fold

LEFT_OUT: Final = frozenset({"script", "style", "head", "nav", "footer", "template", "noscript", "button", "input"})
PICTURES: Final = frozenset({"img", "svg", "canvas", "video", "audio", "iframe", "object", "embed", "picture"})
INLINE: Final = frozenset(
    "a abbr b bdi bdo br cite code data del dfn em i ins kbd label mark q s samp small span strong sub sup time tt u"
    " var wbr font math".split()
)
HEADINGS: Final = re.compile(r"h[1-6]")
PICTURE: Final = "its content is a picture or another page, not text"


def read_html(text: str) -> Document:
    builder = Builder()
    soup = BeautifulSoup(text, "html.parser")
    body = soup.find("main") or soup.find(None, {"role": "main"}) or soup.find("article") or soup.body or soup
    _Reader(builder).walk(body)
    return builder.done()


def add_html(builder: Builder, text: str) -> None:
    """A piece of HTML inside of another document: its visible text goes into the open section."""
    _Reader(builder).walk(BeautifulSoup(text, "html.parser"))


class _Reader:
    """Text between two block elements is a paragraph of its own."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.run: list[str] = []
        self.kind: BlockKind = "paragraph"

    def walk(self, parent: PageElement) -> None:
        self._children(parent)
        self._flush()

    def _children(self, parent: PageElement) -> None:
        for child in list(getattr(parent, "children", ())):
            if isinstance(child, Tag):
                self._tag(child)
            elif isinstance(child, NavigableString) and not isinstance(
                child, Comment | Doctype | ProcessingInstruction
            ):
                self.run.append(str(child))

    def _tag(self, tag: Tag) -> None:
        if tag.name in PICTURES:
            what = str(tag.get("src") or tag.get("data") or tag.name)
            self.builder.skip("image", f"{what[:120]} ({tag.get('alt') or tag.name})", PICTURE)
        elif tag.name in LEFT_OUT or "headerlink" in (tag.get("class") or ()):
            return
        elif tag.name == "br":
            self.run.append(" ")
        elif tag.name in INLINE:
            self._children(tag)
        else:
            self._flush()
            self._block(tag)
            self._flush()

    def _block(self, tag: Tag) -> None:
        if HEADINGS.fullmatch(tag.name):
            self.builder.heading(int(tag.name[1]), _text(tag), _anchor(tag))
        elif tag.name == "pre":
            self.builder.add(Block("code", tag.get_text(), tag.get_text()))
        elif tag.name == "table":
            self._table(tag)
        else:
            before, self.kind = self.kind, _kind(tag, self.kind)
            self._children(tag)
            self._flush()
            self.kind = before

    def _table(self, table: Tag) -> None:
        header: tuple[str, ...] = ()
        for row in table.find_all("tr"):
            cells = tuple(_text(cell) for cell in row.find_all(["th", "td"], recursive=False))
            source = " ".join(cells)
            if not header and row.find("td") is None:
                header = cells
                self.builder.add(Block("header", source, " | ".join(cells), cells))
            else:
                self.builder.add(Block("row", source, " | ".join(cells), cells, header, " ".join(header)))

    def _flush(self) -> None:
        text, self.run = fold("".join(self.run)), []
        if text:
            self.builder.add(Block(self.kind, text, text))


def _kind(tag: Tag, outer: BlockKind) -> BlockKind:
    if tag.name in ("li", "dd", "dt"):
        return "item"
    return "quote" if tag.name in ("blockquote", "aside") else outer


def _text(tag: Tag) -> str:
    for link in tag.find_all("a", class_="headerlink"):
        link.decompose()
    return fold(tag.get_text())


def _anchor(tag: Tag) -> str:
    """Its own id, that of an anchor in it, or that of the section that it opens."""
    inner = tag.find("a", id=True)
    outer = tag.parent if tag.parent is not None and tag.parent.name in ("section", "div") else None
    opens = outer is not None and outer.find(HEADINGS) is tag
    owners = (tag, inner, outer if opens else None)
    return next((str(one["id"]) for one in owners if one is not None and one.has_attr("id")), "")
