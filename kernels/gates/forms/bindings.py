"""Which declaration a name in a C function stands for, where that is certain."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from tree_sitter import Node

from kernels.packs.trees import text_of, walk

NAMES: Final = ("identifier", "field_identifier", "type_identifier", "statement_identifier")
_SCOPES: Final = ("compound_statement", "for_statement", "case_statement")


def above(node: Node) -> Iterator[Node]:
    """Everything that it stands in, innermost first."""
    found = node.parent
    while found is not None:
        yield found
        found = found.parent


def root_of(node: Node) -> Node:
    found = node
    for one in above(node):
        found = one
    return found


def function_of(node: Node) -> Node | None:
    """The innermost function that it stands in."""
    return next((n for n in above(node) if n.type == "function_definition"), None)


def declarators(root: Node, name: str) -> list[Node]:
    """Identifiers below `root` that declare this name: variables, parameters, functions, constants, types."""
    return _declared(root).get(name, [])


@lru_cache(maxsize=64)
def _declared(root: Node) -> dict[str, list[Node]]:
    found: dict[str, list[Node]] = {}
    for node in walk(root):
        if node.type in NAMES and declares(node):
            found.setdefault(text_of(node), []).append(node)
    return found


def declares(node: Node) -> bool:
    """Whether the name stands where a declaration names it, not within an initialiser or an extent."""
    child, owner = node, node.parent
    while owner is not None and owner.type.endswith("_declarator"):
        inner = owner.child_by_field_name("declarator")
        if inner != child and owner.type != "parenthesized_declarator":
            return False
        child, owner = owner, owner.parent
    if owner is None:
        return False
    if owner.type in ("declaration", "parameter_declaration", "function_definition", "type_definition"):
        return child in owner.children_by_field_name("declarator")
    return owner.type == "enumerator" and owner.child_by_field_name("name") == child


def binding(use: Node) -> Node | None:
    """The declaration (or parameter) that this name surely stands for: the only one of the name in its function, in
    scope where it is used. None when that is not certain."""
    function = function_of(use)
    if function is None or function_of(function) is not None:
        return None
    declared = declarators(function, text_of(use))
    if len(declared) != 1 or declared[0].start_byte >= use.start_byte:
        return None
    owner = next((n for n in above(declared[0]) if n.type in ("declaration", "parameter_declaration")), None)
    if owner is None or (owner.type == "declaration" and not _in_scope(owner, use)):
        return None
    if owner.type == "parameter_declaration" and not is_own_parameter(owner, function):
        return None
    return owner


def _in_scope(declaration: Node, use: Node) -> bool:
    scope = next((n for n in above(declaration) if n.type in _SCOPES), None)
    return scope is not None and scope.type != "case_statement" and any(n == scope for n in above(use))


def is_own_parameter(owner: Node, function: Node) -> bool:
    """Of the function itself, not of a pointer to a function that it takes or declares."""
    declarator = function.child_by_field_name("declarator")
    while declarator is not None and declarator.type == "pointer_declarator":
        declarator = declarator.child_by_field_name("declarator")
    if declarator is None or declarator.type != "function_declarator":
        return False
    parameters = declarator.child_by_field_name("parameters")
    return parameters is not None and owner.parent == parameters


def declarator_of(owner: Node, name: str) -> Node | None:
    """Its outermost declarator, without its initialiser."""
    for child in owner.children_by_field_name("declarator"):
        inner = child.child_by_field_name("declarator") if child.type == "init_declarator" else child
        if inner is not None and any(text_of(n) == name for n in walk(inner) if n.type == "identifier"):
            return inner
    return None


def plain(owner: Node, name: str) -> bool:
    """A variable that is no pointer, array or function."""
    declarator = declarator_of(owner, name)
    return declarator is not None and declarator.type == "identifier"


def type_words(owner: Node) -> str:
    """The type by its words, "" for one that is not built in."""
    kind = owner.child_by_field_name("type")
    if kind is None or kind.type not in ("primitive_type", "sized_type_specifier"):
        return ""
    return text_of(kind)


def qualifiers(owner: Node) -> set[str]:
    return {text_of(n) for n in owner.children if n.type in ("type_qualifier", "storage_class_specifier")}
