"""Reads a C source by its syntax tree: what it includes, calls and declares, and what no candidate may contain.

One class a language; this one is for C. The allow-list is the contract of `kernelwright.h`. Literal arrays and value
tests are findings, never refusals: they feed the influence check and the auditor.
"""

import re
from collections.abc import Collection, Iterator
from typing import Final

from tree_sitter import Node

from kernels.gates.c_rules import Refusal, attributes, definition, directive, included, named
from kernels.gates.c_words import COMPILER_NAMES, FORBIDDEN_CALLS, HARNESS
from kernels.packs.prototype import as_pointer
from kernels.packs.trees import text_of, walk

_LITERALS_TO_REPORT: Final = 64
_AROUND_A_CALLED_NAME: Final = ("parenthesized_expression", "comma_expression", "pointer_expression")


def refusals(root: Node, headers: Collection[str] = ()) -> Iterator[Refusal]:
    """Everything in the tree that a candidate may not contain, in source order. headers: the pack's own."""
    own = _own(root)
    for node in walk(root):
        found = None if node.type == "call_expression" and _called(node) in own else _refusal_of(node, headers)
        if found is not None:
            yield Refusal(found.kind, f"line {node.start_point[0] + 1}: {found.reason}")


def _refusal_of(node: Node, headers: Collection[str]) -> Refusal | None:
    match node.type:
        case "preproc_include":
            return _include(node, headers)
        case "gnu_asm_expression":
            return Refusal("inline_assembly", "inline assembly is not allowed; use vector extensions or intrinsics")
        case "attribute" | "attribute_specifier":
            return _attribute(node)
        case "preproc_call":
            return directive(text_of(node))
        case "call_expression":
            return _call(node)
        case "preproc_def" | "preproc_function_def":
            return definition(text_of(node))
        case "identifier":
            return named(text_of(node)) or _harness(node)
    return None


def _own(root: Node) -> frozenset[str]:
    """Static functions of the source itself: they may be called `read` and `write`. What only seems to be one meets the
    object scan."""
    found = (node for node in walk(root) if node.type == "function_definition")
    names = (text_of(name) for node in found if "static" in _storage(node) and (name := _name_of(node)) is not None)
    return frozenset(names) - COMPILER_NAMES


def _storage(definition: Node) -> list[str]:
    return [text_of(part) for part in definition.children if part.type == "storage_class_specifier"]


def _name_of(definition: Node) -> Node | None:
    declarator = definition.child_by_field_name("declarator")
    while declarator is not None and declarator.type in ("pointer_declarator", "function_declarator"):
        declarator = declarator.child_by_field_name("declarator")
    return declarator


def _harness(node: Node) -> Refusal | None:
    """What the harness offers is there to be called: whoever wants its address looks for something else behind it."""
    name, parent = text_of(node), node.parent
    if name not in HARNESS or (parent is not None and parent.child_by_field_name("function") == node):
        return None
    return Refusal("harness_address", f"{name} may only be called")


def _call(node: Node) -> Refusal | None:
    """Only calls: a local variable may be named `time`; what escapes by its address meets the object scan."""
    name = _called(node)
    if name not in FORBIDDEN_CALLS:
        return None
    return Refusal("forbidden_name", f"{name} is outside the allow-list of a kernel")


def _called(node: Node) -> str:
    function = node.child_by_field_name("function")
    while function is not None and function.type in _AROUND_A_CALLED_NAME:
        function = function.named_children[-1] if function.named_children else None
    return "" if function is None else text_of(function)


def _include(node: Node, headers: Collection[str]) -> Refusal | None:
    path = node.child_by_field_name("path")
    return included(text_of(path) if path is not None else "?", headers)


def _attribute(node: Node) -> Refusal | None:
    return attributes(re.findall(r"\w+", text_of(node)))


def entry_parameters(root: Node, entry: str) -> list[str] | None:
    """Normalised parameter types of the entry point's definition, or None when it is not defined."""
    for node in walk(root):
        if node.type != "function_definition":
            continue
        declarator = node.child_by_field_name("declarator")
        if declarator is None or declarator.type != "function_declarator":
            continue
        name = declarator.child_by_field_name("declarator")
        parameters = declarator.child_by_field_name("parameters")
        if name is not None and parameters is not None and text_of(name) == entry:
            return [parameter_type(text_of(p)) for p in parameters.named_children if p.type == "parameter_declaration"]
    return None


def parameter_type(parameter: str) -> str:
    """`const float *restrict x` to `const float*`; `float x[16][8]` to `float*`; a scalar loses its const."""
    parameter = as_pointer(parameter)
    words = parameter.replace("*", " ")
    tokens = [w for w in re.findall(r"\w+", words) if w not in ("restrict", "__restrict", "__restrict__", "register")]
    pointers = parameter.count("*")
    const = "const" in tokens
    base = [t for t in tokens if t != "const"]
    if len(base) > 1:
        base = base[:-1]
    return f"{'const ' if const and pointers else ''}{' '.join(base)}{'*' * pointers}"


def fold_findings(root: Node) -> list[str]:
    """Evidence of sources that may exploit the test inputs: long literal arrays."""
    found = [
        f"literal array of {node.named_child_count} values at line {node.start_point[0] + 1}"
        for node in walk(root)
        if node.type == "initializer_list" and node.named_child_count >= _LITERALS_TO_REPORT
    ]
    return found[:8]
