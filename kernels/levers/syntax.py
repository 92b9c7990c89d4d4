"""The C syntax tree: parsing, walking, and edits by byte range."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from kernels.packs import trees
from kernels.packs.trees import field, named, text_of, walk


@lru_cache(maxsize=256)
def parse(source: str) -> Node:
    """`trees.parse`, kept for sources that are asked for again."""
    return trees.parse(source)


def parse_expression(text: str) -> Node | None:
    """The tree of one C expression, or None when it is none."""
    root = parse(f"int kw_probe = ({text});")
    if root.has_error:
        return None
    found = next((n for n in walk(root) if n.type == "init_declarator"), None)
    return None if found is None else field(found, "value")


def strip_parentheses(node: Node) -> Node:
    while node.type == "parenthesized_expression":
        inner = named(node)
        if len(inner) != 1:
            return node
        node = inner[0]
    return node


def root_name(node: Node) -> str:
    """The name at the root of an array expression, "" when there is none."""
    node = strip_parentheses(node)
    match node.type:
        case "identifier":
            return text_of(node)
        case "subscript_expression" | "pointer_expression" | "field_expression":
            inner = field(node, "argument")
        case "cast_expression":
            inner = field(node, "value")
        case "binary_expression":
            inner = field(node, "left")
        case _:
            inner = next(iter(named(node)), None) if node.type == "parenthesized_expression" else None
    return root_name(inner) if inner is not None else ""


def span(node: Node) -> tuple[str, int, int]:
    """What names the node in its source: its type and bytes. Ids name it in one tree only, and a source that is
    parsed again, after a cache let it go, has another tree."""
    return node.type, node.start_byte, node.end_byte


def same(one: Node, other: Node) -> bool:
    """Whether both stand for the same part of the same source, in whichever of its trees."""
    return span(one) == span(other)


def within(node: Node, holder: Node) -> bool:
    """Whether it lies inside of the other; both are of one source."""
    return holder.start_byte <= node.start_byte and node.end_byte <= holder.end_byte


def enclosing(node: Node, *types: str) -> Node | None:
    """The nearest node above of one of these types."""
    above = node.parent
    while above is not None and above.type not in types:
        above = above.parent
    return above


def statements(body: Node) -> list[Node]:
    """Statements of a block, or the one statement that stands for it; hints to the compiler (#pragma) are left out."""
    if body.type != "compound_statement":
        return [body]
    return [n for n in named(body) if n.type != "preproc_call"]


def identifiers(node: Node) -> set[str]:
    """Names used as values below the node."""
    return {text_of(n) for n in walk(node) if n.type == "identifier"}


def names_in(text: str) -> set[str]:
    """Those of an expression in C; none when it is none."""
    node = parse_expression(text)
    return identifiers(node) if node is not None else set()


def in_fallback(node: Node) -> bool:
    """Whether it stands in the #else branch of a condition, where designs keep what they replaced."""
    return enclosing(node, "preproc_else", "preproc_elif") is not None


@dataclass(frozen=True, slots=True)
class Edit:
    """Bytes [start, end) of the source become `text`."""

    start: int
    end: int
    text: str


def replace_node(node: Node, text: str) -> Edit:
    return Edit(node.start_byte, node.end_byte, text)


def apply_edits(source: str, edits: Iterable[Edit]) -> str:
    """A line of the preprocessor that is put in gets a line of its own. Raises: ValueError when two edits overlap."""
    raw = source.encode()
    pieces: list[bytes] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < at:
            raise ValueError(f"edits overlap at byte {edit.start}")
        pieces += [raw[at : edit.start], _on_its_own_line(raw, edit).encode()]
        at = edit.end
    return b"".join([*pieces, raw[at:]]).decode()


def _on_its_own_line(raw: bytes, edit: Edit) -> str:
    text = edit.text
    if text.lstrip(" ").startswith("#") and raw[raw.rfind(b"\n", 0, edit.start) + 1 : edit.start].strip():
        text = f"\n{text}"
    last = text[text.rfind("\n") + 1 :].lstrip(" ")
    return f"{text}\n" if last.startswith("#") and raw[edit.end : edit.end + 1] not in (b"\n", b"") else text


def edited_text(node: Node, edits: Iterable[Edit]) -> str:
    """Text of the node after edits inside it, given in bytes of the whole source."""
    shift = node.start_byte
    return apply_edits(text_of(node), [Edit(e.start - shift, e.end - shift, e.text) for e in edits])
