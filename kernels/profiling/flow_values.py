"""What the following of pointers through a source keeps: values, what was touched, where loops run; declarations.

Read first: `flow.py`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from kernels.levers.scope import Variable
from kernels.levers.syntax import field as child
from kernels.levers.syntax import named, text_of, walk


class TooDeep(Exception):
    """The calls of a source do not end within reason."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a variable may point into: arguments, and for a structure those of its members. holds: it is an array of
    pointers, or points to one, so that its elements are pointers as well."""

    arguments: frozenset[str] = frozenset()
    members: "Mapping[str, Value] | None" = None
    holds: bool = False

    def also(self, other: "Value") -> "Value":
        """What a variable may hold that held `self` and is given `other`: the branch may not have been taken."""
        members = {**(self.members or {}), **(other.members or {})} or None
        return Value(self.arguments | other.arguments, members, self.holds or other.holds)


NONE: Final = Value()


@dataclass(slots=True)
class Touched:
    """Arguments that were read and written."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)

    @property
    def both(self) -> frozenset[str]:
        return frozenset(self.reads | self.writes)


@dataclass(slots=True)
class Loop:
    """One place at which a parallel loop runs. body: name of its function. sure: it runs just once, in any call."""

    body: str
    touched: Touched
    sure: bool


@dataclass(slots=True)
class Flow:
    """loops: in the order of a call. serial: what is touched outside of them, by the mark around it ("" for none) and
    the number of loops before it."""

    loops: list[Loop] = field(default_factory=list)
    serial: dict[tuple[str, int], Touched] = field(default_factory=dict)


def joined(values: Iterable[Value]) -> frozenset[str]:
    return frozenset[str]().union(*(value.arguments for value in values))


def holds_pointers(variable: Variable) -> bool:
    return variable.pointers > 1 or (variable.pointers > 0 and bool(variable.dims))


def tag_of(kind: Node | None) -> str:
    """The name of a structure type; that of a typedef as well."""
    if kind is None:
        return ""
    name = child(kind, "name") if kind.type == "struct_specifier" else kind
    return text_of(name) if name is not None else ""


def structs(root: Node) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Members in order by tag and by typedef."""
    for node in walk(root):
        body = child(node, "body") if node.type == "struct_specifier" else None
        if body is None:
            continue
        members = tuple(
            next((text_of(n) for n in walk(d) if n.type == "field_identifier"), "")
            for declaration in named(body)
            if declaration.type == "field_declaration"
            for d in declaration.children_by_field_name("declarator")
        )
        tag = child(node, "name")
        if tag is not None:
            yield text_of(tag), members
        above = node.parent
        if above is not None and above.type == "type_definition":
            for alias in above.children_by_field_name("declarator"):
                yield text_of(alias), members


def macros(root: Node) -> Iterable[tuple[str, frozenset[str]]]:
    """Words of the text of function-like macros."""
    for node in walk(root):
        name, value = child(node, "name"), child(node, "value")
        if node.type == "preproc_function_def" and name is not None and value is not None:
            words = "".join(c if c.isalnum() or c == "_" else " " for c in text_of(value)).split()
            yield text_of(name), frozenset(words)
