"""Calls written out: of function-like macros, and of functions that only return an expression of their scalars."""

from collections.abc import Iterator
from functools import lru_cache

from tree_sitter import Node

from kernels.levers.scope import parameters
from kernels.levers.syntax import edited_text, field, named, parse_expression, replace_node, statements, text_of, walk
from kernels.levers.unit import Unit, unit_of

Formula = tuple[tuple[str, ...], str]


def expanded(unit: Unit, call: Node) -> Node | None:
    """The expression that the call stands for, or None when its text is not known."""
    function, listed = field(call, "function"), field(call, "arguments")
    formula = formulas(unit.source).get(text_of(function)) if function is not None else None
    arguments = [text_of(a) for a in named(listed)] if listed is not None else []
    if formula is None or len(formula[0]) != len(arguments):
        return None
    body = parse_expression(formula[1])
    if body is None:
        return None
    values = dict(zip(formula[0], arguments, strict=True))
    names = (n for n in walk(body) if n.type == "identifier" and text_of(n) in values)
    edits = [replace_node(n, f"({values[text_of(n)]})") for n in names]
    return parse_expression(edited_text(body, edits))


@lru_cache(maxsize=64)
def formulas(source: str) -> dict[str, Formula]:
    """By name: parameters and the text of the expression."""
    unit = unit_of(source)
    return {**dict(_functions(unit)), **dict(_macros(unit))}


def _macros(unit: Unit) -> Iterator[tuple[str, Formula]]:
    for node in walk(unit.root):
        name, listed, value = (field(node, x) for x in ("name", "parameters", "value"))
        if node.type == "preproc_function_def" and name is not None and listed is not None and value is not None:
            text = text_of(value).split("/*")[0].replace("\\\n", " ").strip()
            yield text_of(name), (tuple(text_of(n) for n in named(listed)), text)


def _functions(unit: Unit) -> Iterator[tuple[str, Formula]]:
    """Functions of scalars whose body is one return."""
    for name, node in unit.functions.items():
        body, formals = field(node, "body"), list(parameters(node))
        inner = statements(body) if body is not None else []
        plain = len(inner) == 1 and inner[0].type == "return_statement" and all(f.is_scalar for f in formals)
        if plain and formals and named(inner[0]):
            yield name, (tuple(f.name for f in formals), text_of(named(inner[0])[0]))
