"""The lever that joins two neighbouring loops over the same range into one."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.by_text import calls_write_nothing
from kernels.levers.loops import CountedLoop, counted_loop, leaves_early, written_names
from kernels.levers.nests.order import keeps_order
from kernels.levers.nests.trace import Event, trace
from kernels.levers.origins import is_array_at, may_overlap
from kernels.levers.scope import declared_inside
from kernels.levers.syntax import (
    Edit,
    apply_edits,
    enclosing,
    field,
    identifiers,
    in_fallback,
    replace_node,
    statements,
    strip_parentheses,
    text_of,
    walk,
)
from kernels.levers.tidy import hint_start, indented
from kernels.levers.unit import Unit, unit_of
from kernels.values.candidate import Candidate

NAME: Final = "fuse_loops"


@dataclass(frozen=True, slots=True)
class FuseLever:
    """Joins `for (i) A(i)` and the next statement `for (j) B(j)` when no turn of B needs a later turn of A."""

    name: str = NAME
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        return [application for application, _, _ in neighbours(candidate.source)]

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        unit = unit_of(candidate.source)
        for site, a, b in _sites(unit):
            if site == application.site:
                start = hint_start(unit.source.encode(), a.node.start_byte)
                edits = [Edit(start, a.node.end_byte, _joined(a, b)), replace_node(b.node, "")]
                return with_source(candidate, apply_edits(unit.source, edits))
        raise LeverDoesNotApply(f"no neighbouring loops to join at {application.site}")


def neighbours(source: str) -> list[tuple[Application, CountedLoop, CountedLoop]]:
    """Every way to join two loops, with the loops."""
    return [
        (
            Application(
                NAME, "structure", {}, site,
                f"neighbouring loops over {a.variable} and {b.variable} run over the same range {a.lower} to {a.upper} "
                "and no turn of the second needs a later one of the first",
                "one pass, and one wake-up of the threads, instead of two",
            ), a, b,
        )
        for site, a, b in _sites(unit_of(source))
    ]  # fmt: skip


def _sites(unit: Unit) -> Iterator[tuple[str, CountedLoop, CountedLoop]]:
    for name, function in unit.functions.items():
        number = 0
        for block in _blocks(function):
            for first, second in pairwise(statements(block)):
                a, b = counted_loop(first), counted_loop(second)
                if a is not None and b is not None:
                    if _joinable(unit, a, b):
                        yield f"{name}/{number}", a, b
                    number += 1


def _blocks(function: Node) -> list[Node]:
    """Blocks outside of loops, then those inside: their names stay when an inner one changes."""
    found = [n for n in walk(function) if n.type == "compound_statement" and not in_fallback(n)]
    return sorted(found, key=lambda n: enclosing(n, "for_statement") is not None)


def same_range(a: CountedLoop, b: CountedLoop) -> bool:
    """Whether both loops run over the same values, to their ends."""
    same = _bare(a.upper) == _bare(b.upper) and a.lower == b.lower and a.type == b.type
    whole = a.declared and b.declared and not leaves_early(a.body) and not leaves_early(b.body)
    return same and bool(whole) and not _captured(a, b)


def _captured(a: CountedLoop, b: CountedLoop) -> bool:
    """Whether the second body means another variable by a name that the first one declares."""
    free = identifiers(b.body) - declared_inside(b.body) - {b.variable}
    return bool(free & (declared_inside(a.body) | {a.variable}))


def _joinable(unit: Unit, a: CountedLoop, b: CountedLoop) -> bool:
    if not same_range(a, b):
        return False
    try:
        return keeps_order(trace(unit, [a.node, b.node]), fused_key)
    except Unsupported:
        return _apart(unit, a, b)


def fused_key(event: Event) -> tuple[int, ...]:
    """The place of an access when each turn runs both bodies."""
    statement, turn, *rest = event.path
    return turn, statement, *rest


def _apart(unit: Unit, a: CountedLoop, b: CountedLoop) -> bool:
    """By the text: what the loops share is touched at the index of the turn only."""
    if any(_outer_writes(x) or not calls_write_nothing(unit, x.body) for x in (a, b)):
        return False
    places = {text_of(n): n for x in (a, b) for n in walk(x.body) if n.type == "identifier"}
    arrays = {name: n for name, n in places.items() if is_array_at(unit, n, name)}
    if may_overlap(unit, arrays, _stored(a) | _stored(b)):
        return False
    shared = (_stored(a) & _touched(b)) | (_stored(b) & _touched(a))
    return all(_at_own_index(x, name) for name in shared for x in (a, b))


def _bare(text: str) -> str:
    return text.strip("() ")


def _outer_writes(loop: CountedLoop) -> set[str]:
    return {name for n in walk(loop.body) for name in written_names(n)} - declared_inside(loop.body)


def _stored(loop: CountedLoop) -> set[str]:
    """Arrays that the body stores to."""
    found: set[str] = set()
    for node in walk(loop.body):
        target = field(node, "left") if node.type == "assignment_expression" else None
        target = strip_parentheses(target) if target is not None else None
        if target is not None and target.type != "identifier":
            found |= identifiers(target) - {loop.variable}
    return found - declared_inside(loop.body)


def _touched(loop: CountedLoop) -> set[str]:
    return identifiers(loop.body) - declared_inside(loop.body)


def _at_own_index(loop: CountedLoop, name: str) -> bool:
    """Whether the body uses the array as name[variable] only."""
    for node in walk(loop.body):
        if node.type == "identifier" and text_of(node) == name:
            above = node.parent
            index = field(above, "index") if above is not None and above.type == "subscript_expression" else None
            if index is None or text_of(strip_parentheses(index)) != loop.variable:
                return False
    return True


def _joined(a: CountedLoop, b: CountedLoop) -> str:
    """One loop with both bodies; names of the second that clash get a suffix."""
    taken = declared_inside(a.body) | identifiers(a.body)
    renamed = {name: _fresh(name, taken) for name in declared_inside(b.body) & taken}
    if b.variable != a.variable:
        renamed[b.variable] = a.variable
    header = text_of(a.node)[: a.body.start_byte - a.node.start_byte].rstrip()
    lines = [text_of(s) for s in statements(a.body)] + [renamed_in(s, renamed) for s in statements(b.body)]
    return indented(header + " {\n" + "\n".join(lines) + "\n}", a.node.start_point[1])


def _fresh(name: str, taken: set[str]) -> str:
    k = 2
    while f"{name}_{k}" in taken:
        k += 1
    return f"{name}_{k}"


def renamed_in(node: Node, names: dict[str, str]) -> str:
    """Text of the node with these names changed."""
    shift = node.start_byte
    edits = [
        Edit(n.start_byte - shift, n.end_byte - shift, names[text_of(n)])
        for n in walk(node)
        if n.type == "identifier" and text_of(n) in names
    ]
    return apply_edits(text_of(node), edits)
