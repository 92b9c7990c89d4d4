"""Guards on numbers, headers, and functions that are called."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from tree_sitter import Node

from kernels.gates.c_words import ALLOWED_INCLUDES
from kernels.gates.forms.bindings import NAMES, declarators, function_of, root_of
from kernels.packs.trees import named, text_of, walk

_INTEGER: Final = re.compile(r"(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)[uUlL]*")


def integer(node: Node) -> int | None:
    """The value of an integer literal of C."""
    found = _INTEGER.fullmatch(text_of(node))
    if found is None:
        return None
    digits = found[1]
    return int(digits, 8 if digits.startswith("0") and digits.isdigit() else 0)


def no_power_of_two(node: Node, _words: Sequence[str]) -> bool:
    """A positive integer literal that is none."""
    value = integer(node)
    return value is not None and value > 0 and value & (value - 1) != 0


def more_than(node: Node, words: Sequence[str]) -> bool:
    value = integer(node)
    return value is not None and value > int(words[0])


@lru_cache(maxsize=16)
def _included(root: Node) -> frozenset[str]:
    """Names of all headers, those under a condition as well."""
    paths = [n.child_by_field_name("path") for n in walk(root) if n.type == "preproc_include"]
    return frozenset(text_of(p).strip('<>"') for p in paths if p is not None)


def without_include(node: Node, words: Sequence[str]) -> bool:
    """The file includes none of these headers and none that is not the system's or the harness's, and nothing in it
    declares this name."""
    included = _included(root_of(node))
    return included <= ALLOWED_INCLUDES and not included & set(words) and undeclared(node, words)


def undeclared(node: Node, _words: Sequence[str]) -> bool:
    """Nothing in the file declares or defines this name."""
    root, name = root_of(node), text_of(node)
    return name not in _defined(root) and not declarators(root, name)


@lru_cache(maxsize=16)
def _defined(root: Node) -> frozenset[str]:
    """Names of macros, structs, unions, enums and their constants."""
    macros = [n for n in walk(root) if n.type in ("preproc_def", "preproc_function_def")]
    tags = [n for n in walk(root) if n.type.endswith(("_specifier", "enumerator"))]
    names = [n.child_by_field_name("name") for n in (*macros, *tags)]
    return frozenset(text_of(n) for n in names if n is not None and n.type in NAMES)


def with_include(node: Node, words: Sequence[str]) -> bool:
    """The file includes one of these headers, under no condition, before it."""
    includes = [
        n for n in root_of(node).named_children if n.type == "preproc_include" and n.start_byte < node.start_byte
    ]
    paths = [n.child_by_field_name("path") for n in includes]
    return any(p is not None and text_of(p).strip('<>"') in words for p in paths)


def takes_not(node: Node, words: Sequence[str]) -> bool:
    """`node` is an argument list of another length than this."""
    return len(named(node)) != int(words[0])


def other_arity(node: Node, _words: Sequence[str]) -> bool:
    """`node` calls a function that this file defines above it, and declares only there, with another number of
    parameters."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or function.type != "identifier" or function_of(node) is None:
        return False
    root, name = root_of(node), text_of(function)
    defined = [n for n in root.named_children if n.type == "function_definition" and _name(n) == name]
    if len(defined) != 1 or defined[0].end_byte > node.start_byte or len(declarators(root, name)) != 1:
        return False
    want = _parameters(defined[0])
    return want is not None and want != len(named(arguments))


def _name(definition: Node) -> str:
    declarator = definition.child_by_field_name("declarator")
    if declarator is None or declarator.type != "function_declarator":
        return ""
    name = declarator.child_by_field_name("declarator")
    return text_of(name) if name is not None and name.type == "identifier" else ""


def _parameters(definition: Node) -> int | None:
    """How many it takes; None for `()` and `...`, which take any."""
    declarator = definition.child_by_field_name("declarator")
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    if listed is None or any(n.type not in ("parameter_declaration", "comment") for n in listed.named_children):
        return None
    own = [n for n in listed.named_children if n.type == "parameter_declaration"]
    if len(own) == 1 and text_of(own[0]) == "void":
        return 0
    return len(own) or None
