"""Counted loops: `for (i = lower; i < upper; i++)` in all its spellings."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.levers.syntax import field, identifiers, in_fallback, named, root_name, strip_parentheses, text_of, walk

SIGNED: Final = ("int", "int32_t", "int64_t", "long", "ptrdiff_t")
_LEAVES_EARLY: Final = frozenset({"break_statement", "return_statement", "goto_statement", "continue_statement"})


@dataclass(frozen=True, slots=True)
class CountedLoop:
    """A loop with step 1. `declared` is the variable's type when the loop declares it, else ""."""

    node: Node
    variable: str
    declared: str
    lower: str
    upper: str  # exclusive
    body: Node

    @property
    def trip(self) -> str:
        """The number of iterations, as C text; below zero, and not a large unsigned number, where the bounds cross."""
        if self.lower == "0":
            return f"({self.upper})"
        if self.lower.isdigit() and self.declared in SIGNED:
            return f"(({self.upper}) - {self.lower})"
        return f"((int64_t)({self.upper}) - (int64_t)({self.lower}))"

    @property
    def type(self) -> str:
        return self.declared or "int"


def counted_loop(node: Node) -> CountedLoop | None:
    """The loop behind a for_statement, or None when it is not a counted one with step 1, or its body moves its ends."""
    if node.type != "for_statement":
        return None
    start, body = _start(field(node, "initializer")), field(node, "body")
    if start is None or body is None:
        return None
    variable, declared, lower = start
    upper = _upper(field(node, "condition"), variable)
    if upper is None or not _steps_by_one(field(node, "update"), variable) or _moves(node, body, variable):
        return None
    return CountedLoop(node, variable, declared, lower, upper, body)


def counted_loops(root: Node) -> Iterator[CountedLoop]:
    """All counted loops below the node, outer before inner; none of those that a design keeps as its fallback."""
    for node in walk(root):
        if node.type == "for_statement" and not in_fallback(node):
            loop = counted_loop(node)
            if loop is not None:
                yield loop


def leaves_early(body: Node) -> bool:
    """Whether a statement may leave the loop or skip the rest of an iteration."""
    return any(n.type in _LEAVES_EARLY for n in walk(body))


def _start(node: Node | None) -> tuple[str, str, str] | None:
    """Variable, declared type, lower bound."""
    if node is None:
        return None
    if node.type == "declaration":
        declarators = [n for n in named(node) if n.type == "init_declarator"]
        type_node = field(node, "type")
        if len(declarators) != 1 or type_node is None:
            return None
        return _assigned(declarators[0], "declarator", "value", text_of(type_node))
    if node.type == "assignment_expression":
        return _assigned(node, "left", "right", "")
    return None


def _assigned(node: Node, left: str, right: str, declared: str) -> tuple[str, str, str] | None:
    name, value = field(node, left), field(node, right)
    if name is None or value is None or name.type != "identifier":
        return None
    return text_of(name), declared, text_of(value)


def _upper(node: Node | None, variable: str) -> str | None:
    if node is None:
        return None
    node = strip_parentheses(node)
    left, right, operator = field(node, "left"), field(node, "right"), field(node, "operator")
    if node.type != "binary_expression" or left is None or right is None or operator is None:
        return None
    if text_of(left) != variable:
        return _mirrored(left, right, text_of(operator), variable)
    if variable in {text_of(n) for n in walk(right)}:
        return None
    if text_of(operator) in ("<", "!="):
        return text_of(right)
    return _behind(right) if text_of(operator) == "<=" else None


def _mirrored(left: Node, right: Node, operator: str, variable: str) -> str | None:
    """N > i."""
    if text_of(right) != variable or operator not in (">", ">=", "!="):
        return None
    return _behind(left) if operator == ">=" else text_of(left)


def _behind(last: Node) -> str:
    """C text of the bound behind this last value; an operator of the bound may bind less than the sum."""
    plain = last.type in ("identifier", "number_literal", "parenthesized_expression")
    return f"{text_of(last)} + 1" if plain else f"({text_of(last)}) + 1"


def _steps_by_one(node: Node | None, variable: str) -> bool:
    if node is None:
        return False
    compact = "".join(text_of(node).split())
    return compact in {
        f"{variable}++", f"++{variable}", f"{variable}+=1", f"{variable}={variable}+1", f"{variable}=1+{variable}",
    }  # fmt: skip


def _moves(node: Node, body: Node, variable: str) -> bool:
    """Whether the body changes the variable or what the head computes its first or last value of."""
    heads = [part for name in ("initializer", "condition") if (part := field(node, name)) is not None]
    read = {variable}.union(*(identifiers(part) for part in heads))
    return any(read & set(written_names(n)) or stored_root(n) in read for n in walk(body))


def stored_root(node: Node) -> str:
    """The array that this one node stores an element of, "" when it stores none."""
    target = None
    if node.type == "assignment_expression":
        target = field(node, "left")
    elif node.type == "update_expression":
        target = field(node, "argument")
    inner = strip_parentheses(target) if target is not None else None
    return root_name(inner) if inner is not None and inner.type != "identifier" else ""


def written_names(node: Node) -> tuple[str, ...]:
    """Plain variables that this one node assigns, steps, or whose address it takes."""
    target = None
    if node.type == "assignment_expression":
        target = field(node, "left")
    elif node.type == "update_expression" or (node.type == "pointer_expression" and text_of(node).startswith("&")):
        target = field(node, "argument")
    if target is None:
        return ()
    target = strip_parentheses(target)
    return (text_of(target),) if target.type == "identifier" else ()
