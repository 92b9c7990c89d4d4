"""The baseline's text: the foreign file with the contract's parameters, without what the function does not need.

The function and everything that it calls stay as they are written. Left out are functions and variables that it cannot
reach (a main, say), includes that no kernel may have, and pragmas of other tools.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.packs.foreign.arguments import Declared
from kernels.packs.prototype import fits
from kernels.packs.toml import PackError
from kernels.packs.trees import field, parse, text_of, walk

HARNESS: Final = '#include "kernelwright.h"'
PRAGMAS: Final = ("GCC", "STDC", "unroll", "omp")
_HIDDEN: Final = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_GROUPS: Final = ("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "linkage_specification",
                  "declaration_list", "translation_unit")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Baseline:
    """left_out: names of functions and variables, and includes."""

    text: str
    left_out: tuple[str, ...]


def baseline_text(
    original: str, function: str, arguments: Sequence[Declared], sizes: Mapping[str, int],
    allowed: Callable[[str], bool],
) -> Baseline:  # fmt: skip
    """sizes: those that are macros. allowed: whether a kernel may include a header of this name.

    Raises: PackError when the function's definition is not found as text.
    """
    text = _with_parameters(_visible(original, function), function, arguments)
    text, left_out = _needed(text, function, allowed)
    defined = [f"#define {n} {v}" for n, v in sizes.items() if re.search(rf"\b{n}\b", text)]
    head = [*([] if HARNESS in text else [HARNESS]), *([""] * bool(defined)), *defined]
    return Baseline("\n".join([*head, *([""] * bool(head)), text.strip("\n"), ""]), left_out)


def _visible(text: str, function: str) -> str:
    """Without the words that would hide the function from the linker."""
    return re.sub(rf"\b(?:static|inline|__inline)\s+(?=(?:\w+\s+)*{re.escape(function)}\s*\()", "", text)


def _with_parameters(text: str, function: str, arguments: Sequence[Declared]) -> str:
    start, end = _inside(text, function)
    written = _split(text[start:end])
    same = len(written) == len(arguments)
    wanted = [_parameter(d, written[i].strip() if same else "") for i, d in enumerate(arguments)]
    if same and all(new == old.strip() for new, old in zip(wanted, written, strict=True)):
        return text
    return f"{text[:start]}{', '.join(wanted)}{text[end:]}"


def _inside(text: str, function: str) -> tuple[int, int]:
    """Where the parameters of the definition stand."""
    plain = _HIDDEN.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    for found in re.finditer(rf"\b{re.escape(function)}\s*\(", plain):
        end = _closing(plain, found.end())
        if end is not None and plain[end + 1 :].lstrip()[:1] == "{":
            return found.end(), end
    asked = f"definition of {function}"
    raise PackError(asked, "the file has it only behind a macro", "Write `void NAME(parameters) {` in the file itself")


def _closing(text: str, at: int) -> int | None:
    depth = 1
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if not depth:
            return i
    return None


def _split(parameters: str) -> list[str]:
    """At commas that are in no brackets."""
    parts, depth = [""], 0
    for letter in parameters:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _parameter(declared: Declared, written: str) -> str:
    """As written where that is what the contract asks for; else its declarator behind the contract's type."""
    argument = declared.argument
    plain = " ".join(_HIDDEN.sub(" ", written).split())
    declarator = _declarator(plain, re.escape(argument.name))
    if declarator and fits(argument, plain):
        return written
    const = "const " if argument.shape and not argument.writable else ""
    spelled = argument.name + "".join(f"[{text}]" for text in declared.parameter.dims)
    return f"{const}{argument.format.c_type} {declarator or spelled}"


def _declarator(parameter: str, name: str) -> str:
    """What stands behind the words of the type: `x`, `*restrict x`, `A[N][M]`, `(*A)[M]`; "" for anything else."""
    extents = r"(?:\s*\[[^\]]*\])"
    pointer = rf"\*\s*(?:(?:restrict|__restrict|__restrict__|const)\s+)?{name}"
    kinds = rf"{pointer}|\(\s*\*\s*{name}\s*\){extents}+|(?<!\w){name}{extents}*"
    found = re.fullmatch(rf"(?:\w+\s*)+?({kinds})", parameter)
    return str(found[1]) if found is not None else ""


def _needed(text: str, function: str, allowed: Callable[[str], bool]) -> tuple[str, tuple[str, ...]]:
    root = parse(text)
    items = list(_items(root))
    reached = _reached(root, items, function)
    gone = [(node, name) for node, names in items if names and not names & reached for name in sorted(names)]
    spare = [n for n in walk(root) if _spare(n, allowed)]
    kept = bytearray(text.encode())
    outer = [node for node, _ in gone]
    inner = [n for n in spare if not any(o.start_byte <= n.start_byte < o.end_byte for o in outer)]
    for node in sorted({n.id: n for n in [*outer, *inner]}.values(), key=lambda n: -n.start_byte):
        del kept[node.start_byte : node.end_byte]
    left = re.sub(r"\n{3,}", "\n\n", kept.decode())
    return left, (*dict.fromkeys([*(name for _, name in gone), *(text_of(n).strip() for n in inner)]),)


def _spare(node: Node, allowed: Callable[[str], bool]) -> bool:
    """An include that no kernel may have, or a pragma that says nothing to the compiler."""
    if node.type == "preproc_include":
        return not allowed(_header(node))
    words = re.findall(r"\w+", text_of(node)) if node.type == "preproc_call" else []
    return words[:1] == ["pragma"] and words[1:2] != [] and words[1] not in PRAGMAS


def _header(include: Node) -> str:
    path = field(include, "path")
    return text_of(path).strip('<>"') if path is not None else ""


def _items(node: Node) -> Iterator[tuple[Node, set[str]]]:
    """Definitions and declarations outside of functions, with the names that they bring."""
    for child in node.children:
        if child.type in ("function_definition", "declaration"):
            yield child, set(_brought(child))
        elif child.type in _GROUPS:
            yield from _items(child)


def _brought(item: Node) -> Iterator[str]:
    for declarator in item.children_by_field_name("declarator"):
        inner: Node | None = declarator
        while inner is not None and inner.type != "identifier":
            below_it = field(inner, "declarator")
            inner = below_it if below_it is not None else next(iter(inner.named_children), None)
        if inner is not None:
            yield text_of(inner)


def _reached(root: Node, items: Sequence[tuple[Node, set[str]]], function: str) -> set[str]:
    """Names that the function uses, by way of others and of macros too."""
    uses: dict[str, set[str]] = {}
    for node, names in items:
        for name in names:
            uses.setdefault(name, set()).update(text_of(n) for n in walk(node) if n.type == "identifier")
    for node in walk(root):
        if node.type in ("preproc_def", "preproc_function_def"):
            words = re.findall(r"\w+", text_of(node))
            uses.setdefault(words[1], set()).update(words[2:])
    reached, waiting = {function}, [function]
    while waiting:
        for name in uses.get(waiting.pop(), set()) - reached:
            reached.add(name)
            waiting.append(name)
    return reached
