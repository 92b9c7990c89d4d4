"""Declares loop variables and temporaries where they are used, so that the levers see what outlives what.

`int i; double s; for (i = 0; ...) { s = 0; ... }` becomes `for (int i = 0; ...) { double s = 0; ... }` where nothing
else uses them: the program stays the same.
"""

from collections.abc import Iterator
from functools import lru_cache

from tree_sitter import Node

from kernels.levers.scope import Variable, declared_by
from kernels.levers.syntax import (
    Edit,
    apply_edits,
    enclosing,
    field,
    in_fallback,
    named,
    same,
    statements,
    text_of,
    walk,
    within,
)
from kernels.levers.unit import unit_of


@lru_cache(maxsize=64)
def localised(source: str) -> str:
    """The source with its variables declared where they are used."""
    unit = unit_of(source)
    if unit.root.has_error:
        return source
    edits = [edit for function in unit.functions.values() for edit in _function_edits(function)]
    return apply_edits(source, edits) if edits else source


def _function_edits(function: Node) -> Iterator[Edit]:
    body = field(function, "body")
    for declaration in statements(body) if body is not None else []:
        if declaration.type != "declaration":
            continue
        moved: dict[str, list[Edit]] = {}
        for variable in declared_by(declaration):
            places = _places(function, declaration, variable)
            if places:
                moved[variable.name] = places
        if moved:
            yield _shortened(declaration, set(moved))
            yield from (edit for edits in moved.values() for edit in edits)


def _places(function: Node, declaration: Node, variable: Variable) -> list[Edit]:
    """Edits that declare the variable at its first assignments; empty when a use would be left outside."""
    plain = variable.is_scalar and _kind(declaration) == variable.base
    uses = [
        n for n in walk(function)
        if n.type == "identifier" and text_of(n) == variable.name and not within(n, declaration)
    ]  # fmt: skip
    if not plain or not uses or _initialised(declaration, variable.name) or any(in_fallback(n) for n in uses):
        return []
    if any(n.parent is not None and n.parent.type == "pointer_expression" for n in uses) or _shadowed(uses):
        return []
    covers: list[tuple[int, int, Edit]] = []
    for use in uses:
        if any(start <= use.start_byte and use.end_byte <= end for start, end, _ in covers):
            continue
        cover = _cover(use, variable)
        if cover is None:
            return []
        covers.append(cover)
    return [edit for _, _, edit in covers]


def _cover(use: Node, variable: Variable) -> tuple[int, int, Edit] | None:
    """Bytes in which a declaration at this use is visible, when the use is a first plain assignment, and its edit."""
    assignment = use.parent
    left = field(assignment, "left") if assignment is not None else None
    operator = field(assignment, "operator") if assignment is not None else None
    if assignment is None or left is None or not same(left, use) or operator is None or text_of(operator) != "=":
        return None
    value, above = field(assignment, "right"), assignment.parent
    if above is None or value is None or any(text_of(n) == variable.name for n in walk(value)):
        return None
    edit = Edit(use.start_byte, use.start_byte, f"{variable.base} ")
    if above.type == "for_statement":
        first = field(above, "initializer")
        return (above.start_byte, above.end_byte, edit) if first is not None and same(first, assignment) else None
    block = above.parent
    inside = block is not None and block.type == "compound_statement" and enclosing(block, "for_statement") is not None
    if above.type != "expression_statement" or block is None or not inside:
        return None
    return use.start_byte, block.end_byte, edit


def _shadowed(uses: list[Node]) -> bool:
    """Whether one of the uses declares another variable of that name."""
    return any(
        (above := n.parent) is not None and above.type in ("init_declarator", "declaration", "array_declarator")
        and same(field(above, "declarator") or above, n)
        for n in uses
    )  # fmt: skip


def _shortened(declaration: Node, gone: set[str]) -> Edit:
    """The declaration without these names."""
    kept = [d for d in declaration.children_by_field_name("declarator") if not gone & _declared(d)]
    if not kept:
        return Edit(*_whole_lines(declaration), "")
    first = declaration.children_by_field_name("declarator")[0]
    head = text_of(declaration)[: first.start_byte - declaration.start_byte]
    return Edit(declaration.start_byte, declaration.end_byte, head + ", ".join(text_of(d) for d in kept) + ";")


def _whole_lines(node: Node) -> tuple[int, int]:
    """Bytes of the node, with its line when nothing else stands there."""
    root = node
    while root.parent is not None:
        root = root.parent
    raw = root.text or b""
    start, end = node.start_byte - root.start_byte, node.end_byte - root.start_byte
    first, last = raw.rfind(b"\n", 0, start) + 1, raw.find(b"\n", end) + 1
    if not last or raw[first:start].strip() or raw[end:last].strip():
        return node.start_byte, node.end_byte
    return root.start_byte + first, root.start_byte + last


def _declared(declarator: Node) -> set[str]:
    inner = field(declarator, "declarator") if declarator.type == "init_declarator" else declarator
    return {text_of(inner)} if inner is not None else set()


def _initialised(declaration: Node, name: str) -> bool:
    """With more than a number, which nothing reads where every use follows an assignment."""
    values = [field(d, "value") for d in named(declaration) if d.type == "init_declarator" and name in _declared(d)]
    return any(value is not None and value.type != "number_literal" for value in values)


def _kind(declaration: Node) -> str:
    kind = field(declaration, "type")
    storage = any(n.type == "storage_class_specifier" for n in declaration.children)
    return text_of(kind) if kind is not None and not storage else ""
