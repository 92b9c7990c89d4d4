"""Guards on variables: what their only declaration says. Each answers yes only when it is certain."""

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from kernels.gates.forms.bindings import binding, declarator_of, plain, qualifiers, type_words
from kernels.packs.trees import text_of, walk

_FLOATING: Final = frozenset({"float", "double"})
_FLOAT_LITERAL: Final = re.compile(r"(\d+\.\d*|\.\d+)([eE][+-]?\d+)?[fF]?")


def _owner(node: Node) -> Node | None:
    return binding(node) if node.type == "identifier" else None


def floating(node: Node, _words: Sequence[str]) -> bool:
    """A float or double: such a variable, or a literal with a point."""
    if node.type == "number_literal":
        return _FLOAT_LITERAL.fullmatch(text_of(node)) is not None
    owner = _owner(node)
    return owner is not None and scalar(node, ()) and type_words(owner) in _FLOATING


def scalar(node: Node, _words: Sequence[str]) -> bool:
    """A variable of a built-in type that is no pointer, array or vector."""
    owner = _owner(node)
    if owner is None or any(n.type.startswith(("attribute", "ms_")) for n in walk(owner)):
        return False
    return type_words(owner) not in ("", "void") and plain(owner, text_of(node))


def parameter(node: Node, words: Sequence[str]) -> bool:
    """A scalar that is a parameter of the function."""
    owner = _owner(node)
    return owner is not None and scalar(node, words) and owner.type == "parameter_declaration"


def local(node: Node, words: Sequence[str]) -> bool:
    """A scalar that is declared in the function."""
    owner = _owner(node)
    return owner is not None and scalar(node, words) and owner.type == "declaration"


def constant_scalar(node: Node, words: Sequence[str]) -> bool:
    owner = _owner(node)
    return owner is not None and scalar(node, words) and "const" in qualifiers(owner)


def register_scalar(node: Node, words: Sequence[str]) -> bool:
    owner = _owner(node)
    return owner is not None and scalar(node, words) and "register" in qualifiers(owner)


def constant_pointer(node: Node, _words: Sequence[str]) -> bool:
    """Declared as `const T *name`, with one star."""
    owner = _owner(node)
    if owner is None or "const" not in qualifiers(owner):
        return False
    declarator = declarator_of(owner, text_of(node))
    if declarator is None or declarator.type != "pointer_declarator":
        return False
    inner = declarator.child_by_field_name("declarator")
    return inner is not None and inner.type == "identifier"


def array(node: Node, _words: Sequence[str]) -> bool:
    """A local array; a parameter would be a pointer."""
    owner = _owner(node)
    declarator = declarator_of(owner, text_of(node)) if owner is not None else None
    if owner is None or owner.type != "declaration" or declarator is None or declarator.type != "array_declarator":
        return False
    inner: Node | None = declarator
    while inner is not None and inner.type == "array_declarator":
        inner = inner.child_by_field_name("declarator")
    return inner is not None and inner.type == "identifier"
