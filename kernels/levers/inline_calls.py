"""The lever that writes a function out at each of its calls, so that each call can be specialised, tuned and fused."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from tree_sitter import Node

from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.effects import hidden
from kernels.levers.loops import written_names
from kernels.levers.scope import Variable, declared_inside, parameters, visible
from kernels.levers.syntax import (
    Edit,
    apply_edits,
    enclosing,
    field,
    identifiers,
    in_fallback,
    named,
    replace_node,
    statements,
    strip_parentheses,
    text_of,
    walk,
)
from kernels.levers.unit import Unit, function_name, unit_of
from kernels.levers.uses import uses_of
from kernels.values.candidate import Candidate

LEAVING: Final = frozenset({"return_statement", "goto_statement", "labeled_statement", "storage_class_specifier"})
CHANGING: Final = frozenset(
    {"assignment_expression", "update_expression", "call_expression", "subscript_expression", "field_expression"}
)
"""What may have another value, or an effect, each time that it is evaluated."""


@dataclass(frozen=True, slots=True)
class InlineLever:
    """Replaces every call statement of a static void function that contains a loop by its body."""

    name: str = "inline_calls"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        unit = unit_of(candidate.source)
        fitting = (name for name, node in unit.functions.items() if _fits(unit, node, context.spec.entry))
        found = ((name, _calls(unit, name)) for name in fitting)
        return [
            Application(
                self.name, self.family, {}, name,
                f"{len(calls)} calls of {name}: each gets its own constants and tunables, and neighbours can be fused",
                "little by itself; opens fusing and separate tuning of the calls",
            )
            for name, calls in found
            if calls
        ]  # fmt: skip

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        unit = unit_of(candidate.source)
        function = unit.functions.get(application.site)
        calls = _calls(unit, application.site) if function is not None else []
        if function is None or not calls or not _fits(unit, function, context.spec.entry):
            raise LeverDoesNotApply(f"no calls of a static void function {application.site} to write out")
        edits = [replace_node(call, _body(unit, function, call)) for call in calls]
        if len(uses_of(unit, application.site)) == len(calls) + 1:
            edits.append(_removal(unit.source, function))
        return with_source(candidate, apply_edits(unit.source, edits))


def _fits(unit: Unit, function: Node, entry: str) -> bool:
    kind, body = field(function, "type"), field(function, "body")
    static = any(text_of(n) == "static" for n in function.children if n.type == "storage_class_specifier")
    if not static or kind is None or body is None or text_of(kind) != "void":
        return False
    if entry in text_of(function).split("{")[0] or not _means_the_same_elsewhere(unit, function, body):
        return False
    types = {n.type for n in walk(body)}
    return "for_statement" in types and not types & LEAVING


def _means_the_same_elsewhere(unit: Unit, function: Node, body: Node) -> bool:
    """Whether no name of the body is another one where it is called: neither hidden in a macro, nor declared there."""
    formals = {v.name for v in parameters(function)}
    own = formals | declared_inside(body)
    behind = {name for macro in unit.macros.values() for name in identifiers(macro)}
    if formals & declared_inside(body) or own & behind or any(hidden(unit, n) for n in walk(body)):
        return False
    free, calls = identifiers(body) - own, _calls(unit, function_name(function))
    holders = ((call, enclosing(call, "function_definition")) for call in calls)
    return not any(free & visible(holder, call).keys() for call, holder in holders if holder is not None)


def _calls(unit: Unit, name: str) -> list[Node]:
    """Its call statements; empty when it is also used in another way, as a pool's body is."""
    found = [n for n in walk(unit.root) if n.type == "expression_statement" and _called(n) == name]
    if any(enclosing(n, "for_statement") is not None or in_fallback(n) for n in found):
        return []
    return found


def _called(statement: Node) -> str:
    inner = named(statement)
    function = field(inner[0], "function") if inner and inner[0].type == "call_expression" else None
    return text_of(function) if function is not None else ""


def _removal(source: str, function: Node) -> Edit:
    """Takes the function away with the comments directly above it."""
    from kernels.levers.outline import before_function

    start = before_function(function, "").start
    end = function.end_byte
    raw = source.encode()
    while end < len(raw) and raw[end : end + 1] == b"\n":
        end += 1
    return Edit(start, end, "")


def _body(unit: Unit, function: Node, statement: Node) -> str:
    call = named(statement)[0]
    body, listed = field(function, "body"), field(call, "arguments")
    formals = list(parameters(function))
    arguments = named(listed) if listed is not None else []
    if body is None or len(formals) != len(arguments):
        raise LeverDoesNotApply(f"a call with {len(arguments)} arguments for {len(formals)} parameters")
    written = {name for n in walk(body) for name in written_names(n)}
    foreign = {name for a in arguments for name in identifiers(a)}
    given = dict(zip((f.name for f in formals), arguments, strict=True))
    direct = [f for f in formals if f.name not in written and _stands_for(unit, given[f.name])]
    held = [f for f in formals if f not in direct]
    fresh = {name: f"{name}_in" for name in (declared_inside(body) | {f.name for f in held}) & foreign}
    copies = [f"{_copy(f, fresh)} = {text_of(given[f.name])};" for f in held]
    inner = _substituted(body, {**{f.name: _text(unit, f, given[f.name]) for f in direct}, **fresh})
    if not copies and all(n.type != "declaration" for n in statements(body)):
        return inner[1:-1].strip()
    return "{" + "".join(f"\n        {c}" for c in copies) + inner[1:]


def _stands_for(unit: Unit, argument: Node) -> bool:
    """Whether the argument may be computed anew in the body: from numbers and from variables of the caller only."""
    if any(n.type in CHANGING for n in walk(argument)):
        return False
    function = enclosing(argument, "function_definition")
    known = visible(function, argument) if function is not None else {}
    return all(name in known or _is_number(unit, name) for name in identifiers(argument))


def _is_number(unit: Unit, name: str) -> bool:
    macro = unit.macros.get(name)
    return macro is not None and strip_parentheses(macro).type == "number_literal"


def _copy(formal: Variable, fresh: Mapping[str, str]) -> str:
    """The declaration of a parameter as a variable, under a name that its value does not use."""
    return replace(formal, name=fresh.get(formal.name, formal.name)).as_parameter


def _text(unit: Unit, formal: Variable, argument: Node) -> str:
    """The argument as the parameter's type makes it."""
    text = text_of(argument)
    if formal.is_array:
        return text if argument.type == "identifier" else f"({text})"
    return text if _has_type(unit, formal, argument) else f"(({formal.element})({text}))"


def _has_type(unit: Unit, formal: Variable, argument: Node) -> bool:
    if argument.type == "identifier" and text_of(argument) in unit.macros:
        argument = strip_parentheses(unit.macros[text_of(argument)])
    if argument.type == "number_literal":
        return formal.element == "int" and text_of(argument).isdigit()
    function = enclosing(argument, "function_definition")
    variable = visible(function, argument).get(text_of(argument)) if function is not None else None
    return variable is not None and variable.is_scalar and variable.element == formal.element


def _substituted(body: Node, values: Mapping[str, str]) -> str:
    edits = [replace_node(n, values[text_of(n)]) for n in _uses(body) if text_of(n) in values]
    shift = body.start_byte
    return apply_edits(text_of(body), [Edit(e.start - shift, e.end - shift, e.text) for e in edits])


def _uses(body: Node) -> Iterator[Node]:
    return (n for n in walk(body) if n.type == "identifier")
