"""The lever that promises the compiler that a function's arrays do not overlap, and which of them it only reads."""

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.effects import hidden
from kernels.levers.origins import may_overlap
from kernels.levers.scope import parameters
from kernels.levers.syntax import Edit, apply_edits, field, identifiers, named, strip_parentheses, text_of, walk
from kernels.levers.unit import Unit, function_declarator, unit_of
from kernels.levers.uses import calls_of, uses_of
from kernels.values.candidate import Candidate


@dataclass(frozen=True, slots=True)
class RestrictLever:
    """`restrict` on every array parameter of one function: of the entry point, as the contract says, or of a static one
    whose calls pass different arrays; `const` on what a static one only reads."""

    name: str = "restrict"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        unit = unit_of(candidate.source)
        found = [(name, list(_edits(unit, name, context.spec.entry))) for name in unit.functions]
        return [
            Application(
                self.name, self.family, {}, name,
                f"{len(edits)} arrays of {name} may overlap as far as the compiler knows",
                "loops that read one array and write another: no checks for overlap, fewer loads",
            )
            for name, edits in found if len(edits) > 1
        ]  # fmt: skip

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        unit, name = unit_of(candidate.source), application.site
        edits = list(_edits(unit, name, context.spec.entry)) if name in unit.functions else []
        if not edits:
            raise LeverDoesNotApply(f"{name or 'the function'} has no array parameter that could be restrict")
        return with_source(candidate, apply_edits(candidate.source, edits))


def _edits(unit: Unit, name: str, entry: str) -> Iterator[Edit]:
    function = unit.functions[name]
    if name != entry and (not _is_static(function) or not _called_apart(unit, name)):
        return
    declarator = function_declarator(function)
    listed = field(declarator, "parameters") if declarator is not None else None
    for parameter in named(listed) if listed is not None else ():
        place = _place(field(parameter, "declarator"))
        if place is not None and not _has_restrict(parameter):
            yield place
            kind = field(parameter, "type")
            if name != entry and kind is not None and _only_read(unit, function, parameter):
                yield Edit(kind.start_byte, kind.start_byte, "const ")


def _place(declarator: Node | None) -> Edit | None:
    """Where `restrict` goes: behind the star of a pointer, into the first brackets of an array; None for a scalar."""
    while declarator is not None and declarator.type != "identifier":
        inner = field(declarator, "declarator") or next(iter(named(declarator)), None)
        if inner is not None and inner.type == "identifier":
            if declarator.type == "pointer_declarator":
                return Edit(inner.start_byte, inner.start_byte, "restrict ")
            if declarator.type == "array_declarator":
                bracket = inner.end_byte + text_of(declarator)[inner.end_byte - declarator.start_byte :].index("[") + 1
                return Edit(bracket, bracket, "restrict " if field(declarator, "size") else "restrict")
        declarator = inner
    return None


def _has_restrict(parameter: Node) -> bool:
    return any("restrict" in text_of(n) for n in walk(parameter) if n.type == "type_qualifier")


def _is_static(function: Node) -> bool:
    return any(text_of(n) == "static" for n in function.children if n.type == "storage_class_specifier")


def _called_apart(unit: Unit, name: str) -> bool:
    """Whether every use of the name is a call, and the arrays that calls pass never overlap."""
    calls, uses = len(calls_of(unit, name)), len(uses_of(unit, name))
    body = field(unit.functions[name], "body")
    if not calls or uses != calls + 1 or body is None:
        return False
    arrays = {v.name: body for v in parameters(unit.functions[name]) if v.is_array}
    return not may_overlap(unit, arrays, arrays)


def _only_read(unit: Unit, function: Node, parameter: Node) -> bool:
    """Whether the body reads the array by subscripts only and never stores to it, and it is not const yet."""
    name = next((text_of(n) for n in walk(field(parameter, "declarator") or parameter) if n.type == "identifier"), "")
    body = field(function, "body")
    if body is None or any(text_of(n) == "const" for n in parameter.children):
        return False
    if any(hidden(unit, n) for n in walk(body)):
        return False
    uses = [n for n in walk(body) if n.type == "identifier" and text_of(n) == name]
    for node in walk(body):
        target = field(node, "left") if node.type == "assignment_expression" else None
        target = field(node, "argument") if node.type == "update_expression" else target
        if target is not None and name in identifiers(strip_parentheses(target)):
            return False
    return all(n.parent is not None and n.parent.type == "subscript_expression" for n in uses)
