"""Functions of a preprocessed C file: names, parameters, their types and extents."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.packs.trees import field, parse, text_of, walk

_WORDS: Final = {
    "double": "f64", "float": "f32", "kw_bf16": "bf16", "char": "i8", "signed char": "i8", "unsigned char": "u8",
    "short": "i16", "unsigned short": "u16", "int": "i32", "unsigned": "u32", "long": "i64", "unsigned long": "u64",
    "int8_t": "i8", "uint8_t": "u8", "int16_t": "i16", "uint16_t": "u16", "int32_t": "i32", "uint32_t": "u32",
    "int64_t": "i64", "uint64_t": "u64", "size_t": "u64",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parameter:
    """ctype: its base type as written. dtype: ours, "" when there is none. dims: C texts of the extents, "" for one
    that is not said; () for a scalar. odd: why it cannot be an argument, "" when it can."""

    name: str
    ctype: str
    dtype: str
    dims: tuple[str, ...]
    odd: str = ""


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    returns: str
    parameters: tuple[Parameter, ...]


def functions_of(preprocessed: str) -> dict[str, Function]:
    """Every function that is defined, by name, in order."""
    root = parse(preprocessed)
    aliases = dict(_aliases(root))
    found = (_function(node, aliases) for node in walk(root) if node.type == "function_definition")
    return {one.name: one for one in found if one is not None}


def _aliases(root: Node) -> Iterator[tuple[str, str]]:
    """Names that typedefs give to plain types."""
    for node in walk(root):
        kind = field(node, "type") if node.type == "type_definition" else None
        if kind is not None:
            for declarator in node.children_by_field_name("declarator"):
                if declarator.type in ("type_identifier", "primitive_type"):
                    yield text_of(declarator), text_of(kind)


def dtype_of(ctype: str, aliases: Mapping[str, str]) -> str:
    """Our name of a C type, "" when it has none."""
    for _ in range(16):
        known = _WORDS.get(ctype) or _WORDS.get(_plain(ctype))
        if known is not None:
            return known
        if ctype not in aliases:
            return ""
        ctype = aliases[ctype]
    return ""


def _plain(ctype: str) -> str:
    """`long unsigned int` to `unsigned long`, `signed` to `int`."""
    words = [str(word) for word in re.findall(r"\w+", ctype)]
    if not set(words) <= {"signed", "unsigned", "char", "short", "int", "long"}:
        return " ".join(words)
    size = next((w for w in ("char", "short", "long") if w in words), "")
    if size == "char" and "signed" in words:
        return "signed char"
    return " ".join(["unsigned"] * ("unsigned" in words) + [size] * bool(size)) or "int"


def _function(node: Node, aliases: Mapping[str, str]) -> Function | None:
    declarator, kind = field(node, "declarator"), field(node, "type")
    stars = ""
    while declarator is not None and declarator.type == "pointer_declarator":
        declarator, stars = field(declarator, "declarator"), stars + "*"
    if declarator is None or declarator.type != "function_declarator":
        return None
    name, inside = field(declarator, "declarator"), field(declarator, "parameters")
    if name is None or inside is None:
        return None
    listed = tuple(_parameter(p, aliases) for p in inside.named_children if p.type != "comment")
    empty = len(listed) == 1 and listed[0].ctype == "void" and not listed[0].name
    returns = (text_of(kind) if kind is not None else "int") + stars
    return Function(text_of(name), returns, () if empty else listed)


def _parameter(node: Node, aliases: Mapping[str, str]) -> Parameter:
    kind, declarator = field(node, "type"), field(node, "declarator")
    ctype = text_of(kind) if kind is not None else text_of(node)
    marks: list[str | None] = []  # outermost first; None for a star
    while declarator is not None and declarator.type != "identifier":
        if declarator.type == "pointer_declarator":
            marks.append(None)
        elif declarator.type == "array_declarator":
            size = field(declarator, "size")
            marks.append(text_of(size) if size is not None else "")
        elif declarator.type != "parenthesized_declarator":
            return Parameter(text_of(node), ctype, "", (), "is no array, pointer or number")
        declarator = _inner(declarator)
    name = text_of(declarator) if declarator is not None else ""
    marks.reverse()
    odd = "is a pointer to pointers; pass one flat array" if None in marks[1:] else "" if name else "has no name"
    dtype = dtype_of(ctype, aliases)
    if not odd and not dtype:
        odd = f"has type {ctype}, which is none of {', '.join(_WORDS)}"
    return Parameter(name, ctype, dtype, tuple(mark or "" for mark in marks), odd)


def _inner(declarator: Node) -> Node | None:
    inside = field(declarator, "declarator")
    return inside if inside is not None else next(iter(declarator.named_children), None)
