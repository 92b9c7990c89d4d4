"""The entry point of a baseline as its syntax tree says it, held against the contract argument by argument."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from tree_sitter import Language, Node, Parser

from kernels.values.kernel import Argument, KernelSpec

_QUALIFIERS: Final = {"restrict", "__restrict", "__restrict__", "register"}


@cache
def _parser() -> Parser:
    import tree_sitter_c

    return Parser(Language(tree_sitter_c.language()))


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _walk(child)


def _text(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


def prototype_problems(spec: KernelSpec, source: str) -> list[tuple[str, str]]:
    """(argument or "", what is wrong) of a baseline: syntax, entry point, number, types, const and names."""
    root = _parser().parse(source.encode()).root_node
    if root.has_error:
        bad = next((n for n in _walk(root) if n.is_error or n.is_missing), root)
        return [("", f"baseline.c does not parse: line {bad.start_point[0] + 1}")]
    found = _parameters(root, spec.entry)
    if found is None:
        return [("", f"baseline.c defines no {spec.prototype}")]
    if len(found) != len(spec.arguments):
        return [("", f"baseline.c takes {len(found)} arguments; the contract says {spec.prototype}")]
    return [
        (a.name, wrong) for a, have in zip(spec.arguments, found, strict=True) if (wrong := _mismatch(spec, a, have))
    ]


def _mismatch(spec: KernelSpec, argument: Argument, have: str) -> str:
    kind, name = _split(have)
    if kind != _split(argument.c_parameter)[0]:
        return f"baseline.c declares `{' '.join(have.split())}`; role {argument.role} says `{argument.c_parameter}`"
    if name != argument.name and any(name == a.name for a in spec.arguments):
        return f"baseline.c has {name} in its place: the order is not the contract's"
    return ""


def _parameters(root: Node, entry: str) -> list[str] | None:
    for node in _walk(root):
        declarator = node.child_by_field_name("declarator") if node.type == "function_definition" else None
        if declarator is None or declarator.type != "function_declarator":
            continue
        name, inside = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("parameters")
        if name is not None and inside is not None and _text(name) == entry:
            return [_text(p) for p in inside.named_children if p.type == "parameter_declaration"]
    return None


def as_pointer(parameter: str) -> str:
    """A parameter with its array written as a pointer: `x[8]`, `A[N][M]` and `(*A)[M]` are `*x` and `*A`."""
    text = re.sub(r"\(\s*\*\s*(\w+)\s*\)(?=\s*\[)", r"\1", parameter)
    return re.sub(r"(\w+)(?:\s*\[[^\]]*\])+", r"*\1", text)


def _split(parameter: str) -> tuple[list[str], str]:
    """Type and name; `restrict` and the const of scalars are removed."""
    words: list[str] = [w for w in re.findall(r"\w+|\*", as_pointer(parameter)) if w not in _QUALIFIERS]
    kept = words if "*" in words else [w for w in words if w != "const"]
    return kept[:-1], kept[-1]
