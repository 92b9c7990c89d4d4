"""Updates: `target = target op value` in all its spellings; those of one element by one operator may change places."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.levers.nests.macros import expanded
from kernels.levers.syntax import field, named, statements, strip_parentheses, text_of, walk
from kernels.levers.unit import Unit

_COMPOUND: Final = {"+=": "+", "-=": "+", "*=": "*", "|=": "|", "&=": "&", "^=": "^"}
_LIBRARY: Final = {"fmax": "max", "fmaxf": "max", "fmin": "min", "fminf": "min"}


@dataclass(frozen=True, slots=True)
class Update:
    """operator: + * | & ^ max min. terms: what is added, each with its sign "" or "-"; for other operators one term."""

    target: Node
    operator: str
    terms: tuple[tuple[str, Node], ...]

    @property
    def value(self) -> str:
        """C text of what the target is updated with."""
        parts = [
            f"{sign}({text_of(node)})" if sign or len(self.terms) > 1 else text_of(node) for sign, node in self.terms
        ]
        return " + ".join(parts)


def update_of(unit: Unit, node: Node) -> Update | None:
    """The update behind an assignment, a step, or an if statement that keeps the larger or the smaller value."""
    match node.type:
        case "assignment_expression":
            return _assignment(unit, node)
        case "update_expression":
            target = field(node, "argument")
            return Update(target, "+", ()) if target is not None else None
        case "if_statement":
            return _kept(node)
    return None


def bare(node: Node) -> str:
    """Text of the expression without blanks and outer parentheses, for comparison."""
    return "".join(text_of(strip_parentheses(node)).split())


def _assignment(unit: Unit, node: Node) -> Update | None:
    target, value, operator = (field(node, name) for name in ("left", "right", "operator"))
    if target is None or value is None or operator is None:
        return None
    target, symbol = strip_parentheses(target), text_of(operator)
    if symbol in _COMPOUND:
        sign = "-" if symbol == "-=" else ""
        return None if _within(target, value) else Update(target, _COMPOUND[symbol], ((sign, value),))
    if symbol != "=":
        return None
    return _sum(target, value) or _product(target, value) or _extreme(unit, target, value)


def _sum(target: Node, value: Node) -> Update | None:
    """t = t + a - b, in any order; t itself must be added once."""
    terms = list(_terms(value, ""))
    own = [t for t in terms if bare(t[1]) == bare(target)]
    others = tuple(t for t in terms if bare(t[1]) != bare(target))
    if len(own) != 1 or own[0][0] or not others or any(_within(target, n) for _, n in others):
        return None
    return Update(target, "+", others)


def _terms(node: Node, sign: str) -> Iterator[tuple[str, Node]]:
    inner = strip_parentheses(node)
    left, right, operator = (field(inner, name) for name in ("left", "right", "operator"))
    symbol = text_of(operator) if operator is not None else ""
    if inner.type == "binary_expression" and symbol in ("+", "-") and left is not None and right is not None:
        yield from _terms(left, sign)
        yield from _terms(right, sign if symbol == "+" else "" if sign else "-")
    else:
        yield sign, inner


def _product(target: Node, value: Node) -> Update | None:
    inner = strip_parentheses(value)
    left, right, operator = (field(inner, name) for name in ("left", "right", "operator"))
    if left is None or right is None or operator is None or text_of(operator) != "*":
        return None
    for own, other in ((left, right), (right, left)):
        if bare(own) == bare(target) and not _within(target, other):
            return Update(target, "*", (("", other),))
    return None


def _extreme(unit: Unit, target: Node, value: Node) -> Update | None:
    """t = t > a ? t : a, fmax(t, a), or a macro or function that says so."""
    inner = strip_parentheses(value)
    if inner.type == "call_expression":
        function, listed = field(inner, "function"), field(inner, "arguments")
        name = text_of(function) if function is not None else ""
        if name in _LIBRARY and listed is not None and len(named(listed)) == 2:
            return _one_of(target, _LIBRARY[name], *named(listed))
        written_out = expanded(unit, inner)
        inner = strip_parentheses(written_out) if written_out is not None else inner
    if inner.type != "conditional_expression":
        return None
    condition, then, other = (field(inner, name) for name in ("condition", "consequence", "alternative"))
    if condition is None or then is None or other is None:
        return None
    operator = _chosen(condition, then, other)
    return _one_of(target, operator, strip_parentheses(then), strip_parentheses(other)) if operator else None


def _chosen(condition: Node, then: Node, other: Node) -> str:
    """max or min when the condition compares the two alternatives, else ""."""
    condition = strip_parentheses(condition)
    left, right, operator = (field(condition, name) for name in ("left", "right", "operator"))
    if left is None or right is None or operator is None or text_of(operator) not in ("<", "<=", ">", ">="):
        return ""
    larger = text_of(operator)[0] == ">"
    if (bare(left), bare(right)) == (bare(then), bare(other)):
        return "max" if larger else "min"
    return ("min" if larger else "max") if (bare(left), bare(right)) == (bare(other), bare(then)) else ""


def _one_of(target: Node, operator: str, first: Node, second: Node) -> Update | None:
    for own, other in ((first, second), (second, first)):
        if bare(own) == bare(target) and not _within(target, other):
            return Update(target, operator, (("", other),))
    return None


def _kept(node: Node) -> Update | None:
    """if (a > t) t = a;"""
    condition, then = field(node, "condition"), field(node, "consequence")
    inner = statements(then) if then is not None else []
    if condition is None or field(node, "alternative") is not None or len(inner) != 1:
        return None
    assignment = next(iter(named(inner[0])), None) if inner[0].type == "expression_statement" else None
    if assignment is None or assignment.type != "assignment_expression" or _symbol(assignment) != "=":
        return None
    target, value = field(assignment, "left"), field(assignment, "right")
    if target is None or value is None:
        return None
    operator = _chosen(condition, value, target)
    return Update(target, operator, (("", value),)) if operator and not _within(target, value) else None


def _symbol(assignment: Node) -> str:
    operator = field(assignment, "operator")
    return text_of(operator) if operator is not None else ""


def _within(target: Node, value: Node) -> bool:
    """Whether the value reads the target itself."""
    wanted = bare(target)
    return any(n.type == target.type and bare(n) == wanted for n in walk(value))
