"""Whether all accesses to an array move alike, so that they meet at the same distance everywhere in a nest.

Where they do, a few turns show every dependence; where they do not, places at which they meet may be anywhere.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

from tree_sitter import Node

from kernels.levers.syntax import field, identifiers, root_name, same, strip_parentheses, text_of, walk

ODD: Final = "?"
"""A part that does not grow evenly."""


def unlike(
    nodes: Iterable[Node], root_of: Callable[[str], str], stored: Collection[str], moving: Collection[str]
) -> set[str]:
    """Arrays whose accesses move in several ways, or unevenly.

    root_of: the array that a name points into; stored: arrays that are stored to; moving: what the nest changes."""
    forms: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for node in (inner for n in nodes for inner in elements(n)):
        name = root_name(node)
        if name and root_of(name) in stored:
            forms[root_of(name)].add((name, *_form(node, moving)))
    return {root for root, found in forms.items() if len(found) > 1 or ODD in next(iter(found))}


def elements(node: Node) -> Iterator[Node]:
    """Whole element expressions below the node, those inside of subscripts as well."""
    for inner in walk(node):
        star = inner.type == "pointer_expression" and text_of(inner).startswith("*")
        if (inner.type == "subscript_expression" or star) and not _is_part(inner):
            yield inner


def is_sum(node: Node, moving: Collection[str]) -> bool:
    """Whether the subscripts of an element are sums of multiples of what moves."""
    return ODD not in _form(node, moving)


def _is_part(node: Node) -> bool:
    """Whether a longer subscript goes on from it."""
    above = node.parent
    argument = field(above, "argument") if above is not None and above.type == "subscript_expression" else None
    return argument is not None and same(argument, node)


def _form(node: Node, moving: Collection[str]) -> Iterator[str]:
    """The parts of its subscripts that move, in their order; constants beside them are left out."""
    while node.type == "subscript_expression":
        index, argument = field(node, "index"), field(node, "argument")
        yield from (",", *(sorted(parts(index, moving)) if index is not None else ()))
        node = strip_parentheses(argument) if argument is not None else node
    if node.type != "identifier":
        yield from sorted(parts(node, moving))


def parts(node: Node, moving: Collection[str]) -> Iterator[str]:
    """Variables that move of which a sum is made, with what multiplies them; constants are left out."""
    node = strip_parentheses(node)
    if not identifiers(node) & set(moving):
        return
    left, right, operator = field(node, "left"), field(node, "right"), field(node, "operator")
    symbol = text_of(operator) if operator is not None and left is not None and right is not None else ""
    if node.type == "identifier":
        yield text_of(node)
    elif symbol in ("+", "-") and left is not None and right is not None:
        yield from parts(left, moving)
        yield from (f"{symbol}{part}" if symbol == "-" else part for part in parts(right, moving))
    elif symbol == "*" and left is not None and right is not None:
        yield from _multiple(left, right, moving)
    else:
        yield ODD


def _multiple(left: Node, right: Node, moving: Collection[str]) -> Iterator[str]:
    both = [identifiers(side) & set(moving) for side in (left, right)]
    if all(both):
        yield ODD
        return
    side, factor = (left, right) if both[0] else (right, left)
    yield from (part if part == ODD else f"{part}*{''.join(text_of(factor).split())}" for part in parts(side, moving))
