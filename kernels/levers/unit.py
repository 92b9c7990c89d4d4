"""Facts of one translation unit: macros, literal tables, functions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from kernels.levers.syntax import field, named, parse, parse_expression, text_of, walk


@dataclass(frozen=True)
class Table:
    """A file-scope const array with an initialiser: element type and the literals."""

    element: str
    literals: tuple[Node, ...]


@dataclass(frozen=True)
class Unit:
    """macros: object-like macros whose text is an expression. tables: literal arrays. functions: by name."""

    source: str
    root: Node
    macros: Mapping[str, Node]
    tables: Mapping[str, Table]
    functions: Mapping[str, Node]


@lru_cache(maxsize=64)
def unit_of(source: str) -> Unit:
    root = parse(source)
    return Unit(source, root, dict(_macros(root)), dict(_tables(root)), dict(_functions(root)))


def node_at(unit: Unit, place: tuple[int, int]) -> Node:
    """The outermost statement that stands at these bytes. Raises: ValueError when there is none."""
    found = _statements(unit.source).get(place)
    if found is None:
        raise ValueError(f"no statement at bytes {place}")
    return found


@lru_cache(maxsize=64)
def _statements(source: str) -> dict[tuple[int, int], Node]:
    found: dict[tuple[int, int], Node] = {}
    for node in walk(unit_of(source).root):
        if node.type.endswith(("_statement", "declaration")):
            found.setdefault((node.start_byte, node.end_byte), node)
    return found


def function_name(function: Node) -> str:
    """Name of a function_definition, "" when its declarator is unusual."""
    declarator = function_declarator(function)
    name = field(declarator, "declarator") if declarator is not None else None
    return text_of(name) if name is not None and name.type == "identifier" else ""


def function_declarator(function: Node) -> Node | None:
    declarator = field(function, "declarator")
    while declarator is not None and declarator.type == "pointer_declarator":
        declarator = field(declarator, "declarator")
    return declarator if declarator is not None and declarator.type == "function_declarator" else None


def _macros(root: Node) -> Iterator[tuple[str, Node]]:
    for node in walk(root):
        if node.type == "preproc_def":
            name, value = field(node, "name"), field(node, "value")
            expression = (
                parse_expression(text_of(value).split("/*")[0]) if name is not None and value is not None else None
            )
            if name is not None and expression is not None:
                yield text_of(name), expression


def _tables(root: Node) -> Iterator[tuple[str, Table]]:
    for node in root.children:
        if node.type != "declaration" or "const" not in _qualifiers(node):
            continue
        kind = field(node, "type")
        for declarator in named(node):
            found = _table(declarator) if declarator.type == "init_declarator" else None
            if found is not None and kind is not None:
                yield found[0], Table(text_of(kind), tuple(found[1]))


def _qualifiers(node: Node) -> set[str]:
    return {text_of(n) for n in node.children if n.type == "type_qualifier"}


def _table(declarator: Node) -> tuple[str, list[Node]] | None:
    array, value = field(declarator, "declarator"), field(declarator, "value")
    if array is None or value is None or array.type != "array_declarator" or value.type != "initializer_list":
        return None
    name = field(array, "declarator")
    if name is None or name.type != "identifier" or any(n.type == "initializer_pair" for n in named(value)):
        return None
    return text_of(name), named(value)


def _functions(root: Node) -> Iterator[tuple[str, Node]]:
    for node in walk(root):
        if node.type == "function_definition":
            yield function_name(node), node
