"""C syntax trees: parse, walk, read."""

from collections.abc import Iterator
from functools import cache, lru_cache

from tree_sitter import Language, Node, Parser


@cache
def language() -> Language:
    """The grammar of C."""
    import tree_sitter_c

    return Language(tree_sitter_c.language())


@cache
def _parser() -> Parser:
    return Parser(language())


def parse(source: str) -> Node:
    """Root of the tree. It may contain errors: ask `has_error`."""
    return _parser().parse(source.encode()).root_node


def walk(root: Node) -> Iterator[Node]:
    """The node and everything below it, in source order."""
    return iter(_below(root))


@lru_cache(maxsize=512)
def _below(root: Node) -> tuple[Node, ...]:
    """Without recursion; kept, since every lever and gate walks the same bodies."""
    found, stack = list[Node](), [root]
    while stack:
        node = stack.pop()
        found.append(node)
        stack.extend(reversed(node.children))
    return tuple(found)


def field(node: Node, name: str) -> Node | None:
    return node.child_by_field_name(name)


def named(node: Node) -> list[Node]:
    """Named children without comments."""
    return [n for n in node.named_children if n.type != "comment"]


def called(call: Node) -> str:
    """What a call calls, as it is written; "" where the tree has none."""
    function = field(call, "function")
    return text_of(function) if function is not None else ""


@lru_cache(maxsize=4096)
def text_of(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


def first_error(root: Node) -> Node | None:
    """None when the whole text parses."""
    return next((n for n in walk(root) if n.is_error or n.is_missing), root) if root.has_error else None
