"""The lever that looks a pure function of one byte up in a table that the kernel fills, instead of calling it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.effects import computes_only
from kernels.levers.nests.updates import bare
from kernels.levers.outline import fresh_number
from kernels.levers.scope import parameters, visible
from kernels.levers.syntax import (
    Edit,
    apply_edits,
    enclosing,
    field,
    identifiers,
    in_fallback,
    named,
    replace_node,
    root_name,
    text_of,
    walk,
)
from kernels.levers.unit import Unit, unit_of
from kernels.levers.uses import called_in_loop
from kernels.values.candidate import Candidate

RESULTS: Final = frozenset(
    {"float", "double", "int", "int32_t", "uint32_t", "int16_t", "uint16_t", "int8_t", "uint8_t"}
)
_TOUCHING: Final = frozenset(
    {"pointer_declarator", "pointer_expression", "array_declarator", "storage_class_specifier"}
)


@dataclass(frozen=True, slots=True)
class LookupLever:
    """All calls of one function of a byte in one function."""

    name: str = "lookup_table"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        return [
            Application(
                self.name, self.family, {}, site,
                f"{site.split('/')[1]} has 256 possible results and is called {len(calls)} times in loops",
                "the work of the function, to one load a call",
            )
            for site, calls in _sites(unit_of(candidate.source)).items()
        ]  # fmt: skip

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        unit = unit_of(candidate.source)
        calls = _sites(unit).get(application.site, [])
        holder, _, called = application.site.partition("/")
        body = field(unit.functions[holder], "body") if holder in unit.functions else None
        if not calls or body is None:
            raise LeverDoesNotApply(f"no calls of a function of one byte at {application.site}")
        n, kind = fresh_number(unit.source), _byte_type(unit.functions[holder], calls[0])
        result = text_of(field(unit.functions[called], "type") or body)
        filled = (
            f"\n    {result} kw_table_{n}[256];\n    for (int kw_code = 0; kw_code < 256; kw_code++) "
            f"kw_table_{n}[kw_code] = {called}(({kind})kw_code);"
        )
        edits = [replace_node(c, f"kw_table_{n}[(uint8_t)({_argument(c)})]") for c in calls]
        edits.append(Edit(body.start_byte + 1, body.start_byte + 1, filled))
        return with_source(candidate, apply_edits(unit.source, edits))


def _sites(unit: Unit) -> dict[str, list[Node]]:
    """Calls in loops by "function/called function"."""
    found: dict[str, list[Node]] = {}
    for holder, function in unit.functions.items():
        if holder.startswith("kw_") or called_in_loop(unit, holder):
            continue
        for name, call in _calls(function):
            if _is_pure(unit, name) and _byte_type(function, call):
                found.setdefault(f"{holder}/{name}", []).append(call)
    return found


def _calls(function: Node) -> Iterator[tuple[str, Node]]:
    """Calls with one argument, in loops."""
    for node in walk(function):
        if node.type != "call_expression" or enclosing(node, "for_statement") is None or in_fallback(node):
            continue
        target, listed = field(node, "function"), field(node, "arguments")
        if target is not None and listed is not None and len(named(listed)) == 1:
            yield text_of(target), node


def _is_pure(unit: Unit, name: str) -> bool:
    """A function of one scalar that computes with its own locals only, and can be asked for any byte."""
    function = unit.functions.get(name)
    body = field(function, "body") if function is not None else None
    kind = field(function, "type") if function is not None else None
    if function is None or body is None or kind is None or text_of(kind) not in RESULTS:
        return False
    formals = list(parameters(function))
    if len(formals) != 1 or not formals[0].is_scalar or any(n.type in _TOUCHING for n in walk(body)):
        return False
    return computes_only(unit, name) and not any(_may_fail(unit, n) for n in walk(body))


def _may_fail(unit: Unit, node: Node) -> bool:
    """Whether it is a division by what may be a whole zero, which bytes that never occur may ask for."""
    right = field(node, "right")
    if right is None or text_of(field(node, "operator") or node) not in ("/", "%", "/=", "%="):
        return False
    names = identifiers(right)
    return (bool(names) and not names <= unit.macros.keys()) or bare(right) == "0"


def _byte_type(function: Node, call: Node) -> str:
    """The byte type of the argument, "" when it is no element or variable of one."""
    listed = field(call, "arguments")
    argument = named(listed)[0] if listed is not None else call
    variable = visible(function, call).get(root_name(argument))
    if variable is None or not variable.is_byte:
        return ""
    whole = argument.type == "identifier" and variable.is_scalar
    return variable.element if whole or argument.type in ("subscript_expression", "pointer_expression") else ""


def _argument(call: Node) -> str:
    listed = field(call, "arguments")
    return text_of(named(listed)[0]) if listed is not None else ""
