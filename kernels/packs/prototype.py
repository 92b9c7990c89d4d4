"""The entry point of a baseline as its syntax tree says it, held against the contract argument by argument."""

import re
from typing import Final

from tree_sitter import Node

from kernels.packs.trees import first_error, parse, text_of, walk
from kernels.values.kernel import Argument, KernelSpec

_QUALIFIERS: Final = {"restrict", "__restrict", "__restrict__", "register"}


def prototype_problems(spec: KernelSpec, source: str) -> list[tuple[str, str]]:
    """(argument or "", what is wrong) of a baseline: syntax, entry point, number, types, const and names."""
    root = parse(source)
    bad = first_error(root)
    if bad is not None:
        return [("", f"baseline.c does not parse: line {bad.start_point[0] + 1}")]
    found = _parameters(root, spec.entry)
    if found is None:
        return [("", f"baseline.c defines no {spec.prototype}")]
    if len(found) != len(spec.arguments):
        return [("", f"baseline.c takes {len(found)} arguments; the contract says {spec.prototype}")]
    return [
        (a.name, wrong) for a, have in zip(spec.arguments, found, strict=True) if (wrong := _mismatch(spec, a, have))
    ]


def fits(argument: Argument, parameter: str) -> bool:
    """Whether a parameter is what the contract asks for, whatever its name."""
    return _split(parameter)[0] == _split(argument.c_parameter)[0]


def _mismatch(spec: KernelSpec, argument: Argument, have: str) -> str:
    _, name = _split(have)
    if not fits(argument, have):
        return f"baseline.c declares `{' '.join(have.split())}`; role {argument.role} says `{argument.c_parameter}`"
    if name != argument.name and any(name == a.name for a in spec.arguments):
        return f"baseline.c has {name} in its place: the order is not the contract's"
    return ""


def _parameters(root: Node, entry: str) -> list[str] | None:
    for node in walk(root):
        declarator = node.child_by_field_name("declarator") if node.type == "function_definition" else None
        if declarator is None or declarator.type != "function_declarator":
            continue
        name, inside = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("parameters")
        if name is not None and inside is not None and text_of(name) == entry:
            return [text_of(p) for p in inside.named_children if p.type == "parameter_declaration"]
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
