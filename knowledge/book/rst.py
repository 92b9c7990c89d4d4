"""reStructuredText, by docutils. Directives that reach outside of the file are off; what is unknown is listed."""

import io
import re
from collections.abc import Iterator
from typing import Any, Final

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives
from typing_extensions import override

from knowledge.book.builder import Builder
from knowledge.book.values import Block, BlockKind, Document, fold

SETTINGS: Final = {
    "file_insertion_enabled": False, "raw_enabled": False, "report_level": 3, "halt_level": 5, "doctitle_xform": False,
    "_disable_config": True, "input_encoding": "unicode", "smart_quotes": False,
}  # fmt: skip
PICTURE: Final = "its content is a picture, not text"
ROLE: Final = re.compile(r":[\w:+.-]+:`(?:([^`<]*?)\s*<[^`>]*>|[~!]?([^`<>]*))`")
LINK: Final = re.compile(r"`([^`<]+?)\s*<[^`>]+>`__?")
NAMED: Final = re.compile(r"(?<![\w`])`([^`]+)`__?|\b(\w+)_\b(?!_)")


class _Container(Directive):
    """A directive of Sphinx whose content is documentation."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = None

    @override
    def run(self) -> list[nodes.Node]:
        found = nodes.container()
        if text := self._text():
            found += nodes.paragraph(text, text)
        self.state.nested_parse(self.content, self.content_offset, found)
        return [found]

    def _text(self) -> str:
        """What of the argument is documentation: all of it, or what follows a version; a label or condition is none."""
        text = str("\n".join(self.arguments))
        if self.name in ("versionadded", "versionchanged", "deprecated"):
            return " ".join(text.split(maxsplit=1)[1:])
        return text if self.name == "seealso" else ""


class _Navigation(Directive):
    """A directive of Sphinx that only says where things are."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True

    @override
    def run(self) -> list[nodes.Node]:
        return []


for _name in ("seealso", "versionadded", "versionchanged", "deprecated", "only", "tab-set", "tab-item", "dropdown"):
    directives.register_directive(_name, _Container)
for _name in (
    "toctree",
    "index",
    "highlight",
    "currentmodule",
    "module",
    "py:module",
    "py:currentmodule",
    "tabularcolumns",
):
    directives.register_directive(_name, _Navigation)


def read_rst(text: str) -> Document:
    tree = publish_doctree(text, settings_overrides={**SETTINGS, "warning_stream": io.StringIO()})
    builder = Builder()
    for child in tree.children:
        _node(builder, child, "paragraph", 1)
    return builder.done()


def plain(source: str) -> str:
    """Inline reStructuredText as a reader sees it; literals in backticks."""
    text = ROLE.sub(lambda found: f"`{found[1] or found[2]}`", source)
    text = LINK.sub(lambda found: found[1], text)
    text = re.sub(r"``(.+?)``", "\x00\\1\x00", text)
    text = NAMED.sub(lambda found: found[1] or found[2], text) if "_" in text else text
    text = re.sub(r"\*\*(.+?)\*\*|\*(\S[^*]*?)\*", lambda found: found[1] or found[2], text)
    return fold(re.sub(r"\\(\W)", r"\1", text.replace("\x00", "`")))


def _node(builder: Builder, node: Any, kind: BlockKind, level: int) -> None:
    match node:
        case nodes.section():
            title = next((child for child in node.children if isinstance(child, nodes.title)), None)
            builder.heading(
                level, plain("" if title is None else title.rawsource), node["ids"][0] if node["ids"] else ""
            )
            _children(builder, node, kind, level + 1)
        case nodes.title() | nodes.comment() | nodes.substitution_definition() | nodes.target() | nodes.pending():
            return
        case nodes.paragraph() | nodes.term() | nodes.line():
            builder.add(Block(kind, node.rawsource, plain(node.rawsource)))
            for image in node.findall(nodes.image):
                builder.skip("image", str(image["uri"]), PICTURE)
        case nodes.image():
            builder.skip("image", f"{node['uri']} ({node.get('alt', '')})", PICTURE)
        case nodes.literal_block() | nodes.doctest_block():
            builder.add(Block("code", node.astext(), node.astext()))
        case nodes.table():
            _table(builder, node)
        case nodes.system_message():
            _message(builder, node)
        case nodes.raw():
            builder.skip("html", fold(node.astext())[:80], "raw output of another format")
        case _:
            _children(builder, node, _inner(node, kind), level)


def _children(builder: Builder, node: Any, kind: BlockKind, level: int) -> None:
    for child in getattr(node, "children", ()):
        _node(builder, child, kind, level)


def _inner(node: Any, kind: BlockKind) -> BlockKind:
    if isinstance(node, nodes.list_item | nodes.definition_list_item | nodes.field):
        return "item"
    return "quote" if isinstance(node, nodes.Admonition | nodes.block_quote) else kind


def _message(builder: Builder, node: Any) -> None:
    """Only what names text that is lost; remarks on style are none of ours."""
    quoted = next(iter(node.findall(nodes.literal_block)), None)
    if quoted is not None:
        said = node.children[0].astext() if node.children else "not understood"
        builder.skip("directive", fold(quoted.astext())[:120], fold(said)[:200])


def _table(builder: Builder, table: Any) -> None:
    header: tuple[str, ...] = ()
    header_source = ""
    for row in table.findall(nodes.row):
        sources = [" ".join(_sources(entry)) for entry in row.children]
        cells, source = tuple(plain(text) for text in sources), fold(" ".join(sources))
        if isinstance(row.parent, nodes.thead):
            header, header_source = cells, source
            builder.add(Block("header", source, " | ".join(cells), cells))
        else:
            builder.add(Block("row", source, " | ".join(cells), cells, header, header_source))


def _sources(entry: Any) -> Iterator[str]:
    for paragraph in entry.findall(nodes.paragraph):
        yield str(paragraph.rawsource)
