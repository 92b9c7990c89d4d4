"""C syntax trees: parse, walk, read."""

from collections.abc import Iterator
from functools import cache

from tree_sitter import Language, Node, Parser


@cache
def _parser() -> Parser:
    import tree_sitter_c

    return Parser(Language(tree_sitter_c.language()))


def parse(source: str) -> Node:
    return _parser().parse(source.encode()).root_node


def below(root: Node) -> Iterator[Node]:
    """The node and everything below it, in source order."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def field(node: Node, name: str) -> Node | None:
    return node.child_by_field_name(name)


def text_of(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


def first_error(root: Node) -> Node | None:
    """None when the whole text parses."""
    return next((n for n in below(root) if n.is_error or n.is_missing), root) if root.has_error else None
