"""The lever that writes a function out at each of its calls, so that each call can be specialised, tuned and fused."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.loops import written_names
from kernels.levers.scope import Variable, declared_inside, parameters
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
    text_of,
    walk,
)
from kernels.levers.unit import Unit, unit_of
from kernels.values.candidate import Candidate


@dataclass(frozen=True, slots=True)
class InlineLever:
    """Replaces every call statement of a static void function that contains a loop by its body."""

    name: str = "inline_calls"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        unit = unit_of(candidate.source)
        found = ((name, _calls(unit, name)) for name, node in unit.functions.items() if _fits(node, context.spec.entry))
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
        if function is None or not calls or not _fits(function, context.spec.entry):
            raise LeverDoesNotApply(f"no calls of a static void function {application.site} to write out")
        edits = [replace_node(call, _body(function, call)) for call in calls]
        if _mentions(unit, application.site) == len(calls) + 1:
            edits.append(_removal(unit.source, function))
        return with_source(candidate, apply_edits(unit.source, edits))


def _fits(function: Node, entry: str) -> bool:
    kind, body = field(function, "type"), field(function, "body")
    static = any(text_of(n) == "static" for n in function.children if n.type == "storage_class_specifier")
    if (
        not static
        or kind is None
        or body is None
        or text_of(kind) != "void"
        or entry in text_of(function).split("{")[0]
    ):
        return False
    types = {n.type for n in walk(body)}
    return "for_statement" in types and not types & {"return_statement", "goto_statement", "labeled_statement"}


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


def _mentions(unit: Unit, name: str) -> int:
    return sum(n.type == "identifier" and text_of(n) == name for n in walk(unit.root))


def _removal(source: str, function: Node) -> Edit:
    """Takes the function away with the comments directly above it."""
    from kernels.levers.outline import before_function

    start = before_function(function, "").start
    end = function.end_byte
    raw = source.encode()
    while end < len(raw) and raw[end : end + 1] == b"\n":
        end += 1
    return Edit(start, end, "")


def _body(function: Node, statement: Node) -> str:
    call = named(statement)[0]
    body, listed = field(function, "body"), field(call, "arguments")
    formals = list(parameters(function))
    arguments = named(listed) if listed is not None else []
    if body is None or len(formals) != len(arguments):
        raise LeverDoesNotApply(f"a call with {len(arguments)} arguments for {len(formals)} parameters")
    written = {name for n in walk(body) for name in written_names(n)}
    direct = {f.name: _text(a) for f, a in zip(formals, arguments, strict=True) if f.name not in written}
    copies = [f"{_copy(f)} = {text_of(a)};" for f, a in zip(formals, arguments, strict=True) if f.name in written]
    foreign = {name for a in arguments for name in identifiers(a)}
    renamed = {name: f"{name}_in" for name in declared_inside(body) & foreign}
    inner = _substituted(body, {**direct, **renamed})
    if not copies and all(n.type != "declaration" for n in statements(body)):
        return inner[1:-1].strip()
    return "{" + "".join(f"\n        {c}" for c in copies) + inner[1:]


def _copy(formal: Variable) -> str:
    return formal.as_parameter


def _text(argument: Node) -> str:
    simple = argument.type in ("identifier", "number_literal")
    return text_of(argument) if simple else f"({text_of(argument)})"


def _substituted(body: Node, values: Mapping[str, str]) -> str:
    edits = [replace_node(n, values[text_of(n)]) for n in _uses(body) if text_of(n) in values]
    shift = body.start_byte
    return apply_edits(text_of(body), [Edit(e.start - shift, e.end - shift, e.text) for e in edits])


def _uses(body: Node) -> Iterator[Node]:
    return (n for n in walk(body) if n.type == "identifier")
