"""Arithmetic operations of an expression, without index arithmetic, and what else it needs. By syntax."""

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from kernels.levers.scope import parameters
from kernels.levers.syntax import field, named, text_of, walk
from kernels.levers.unit import Unit
from kernels.packs.trees import called

ARITHMETIC: Final = frozenset("+-*/%")
BITS: Final = frozenset({"&", "|", "^", "<<", ">>"})
DIVISIONS: Final = frozenset("/%")
MATHS: Final = frozenset(
    """sqrt sqrtf exp expf log logf sin sinf cos cosf tanh tanhf pow powf exp2f exp2 erf erff fmod fmodf cbrt
    cbrtf""".split()
)
SINGLE: Final = frozenset(
    {"fabs", "fabsf", "fmax", "fmaxf", "fmin", "fminf", "floor", "floorf", "ceil", "ceilf", "abs"}
)
DEEPEST: Final = 8  # calls


def operations(unit: Unit, node: Node, within: int = 0) -> int:
    """Of one evaluation, functions of the source that are called written out; both ways of a choice count as one."""
    count = 0
    for one in values(node):
        match one.type:
            case "binary_expression":
                count += text_of(field(one, "operator") or one) in ARITHMETIC
            case "assignment_expression":
                count += text_of(field(one, "operator") or one) not in ("=", "&=", "|=", "^=", "<<=", ">>=")
            case "update_expression" | "conditional_expression":
                count += 1
            case "call_expression":
                count += _call(unit, one, within)
                count += sum(operations(unit, argument, within) for argument in _scalars(unit, one))
    return count


def _scalars(unit: Unit, call: Node) -> Iterator[Node]:
    """Arguments that are values; what an address is made of is index arithmetic."""
    listed, function = field(call, "arguments"), unit.functions.get(called(call))
    given = named(listed) if listed is not None else []
    formals = list(parameters(function)) if function is not None else []
    for number, argument in enumerate(given):
        if number >= len(formals) or formals[number].is_scalar:
            yield argument


def _call(unit: Unit, call: Node, within: int) -> int:
    name = called(call)
    if name in MATHS or name in SINGLE:
        return 1
    if name in ("fma", "fmaf"):
        return 2
    function = unit.functions.get(name)
    body = field(function, "body") if function is not None else None
    if body is None or within >= DEEPEST or any(n.type in ("for_statement", "while_statement") for n in walk(body)):
        return 0
    return operations(unit, body, within + 1)


def values(node: Node) -> Iterator[Node]:
    """The node and all below it that computes a value: no subscripts, arguments, declarators or heads of loops."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        match current.type:
            case "subscript_expression" | "pointer_expression" | "sizeof_expression" | "call_expression":
                continue
            case "for_statement":
                body = field(current, "body")
                stack.extend([body] if body is not None else [])
            case "init_declarator":
                value = field(current, "value")
                stack.extend([value] if value is not None else [])
            case _:
                stack.extend(reversed(named(current)))


def traits(node: Node) -> Iterator[str]:
    """What an expression needs beside additions and products."""
    for one in walk(node):
        if one.type == "subscript_expression":
            index = field(one, "index")
            if index is not None and any(n.type == "subscript_expression" for n in walk(index)):
                yield "table look-ups"
        elif one.type == "binary_expression" and text_of(field(one, "operator") or one) in BITS:
            yield "bit fields"
        elif one.type == "call_expression" and called(one) in MATHS:
            yield "mathematical functions"
    for one in values(node):
        if one.type == "binary_expression" and text_of(field(one, "operator") or one) in DIVISIONS:
            yield "divisions"
