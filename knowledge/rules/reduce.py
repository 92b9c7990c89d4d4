"""Making a failing source as small as it gets while the same failure stays: delta debugging on the nodes of its tree.

In each round every way to leave a piece out is tried, the largest first: statements, declarations, parameters and
arguments go, blocks are emptied, a statement or an expression gives way to one of its parts. Source: hierarchical delta
debugging (Misherghi and Su, 2006).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.levers.syntax import parse, walk

TRIES: Final = 400
_LISTS: Final = frozenset(
    """translation_unit compound_statement parameter_list argument_list initializer_list field_declaration_list
    case_statement preproc_if preproc_ifdef preproc_else declaration""".split()
)
_PARTS: Final = frozenset(
    """for_statement while_statement do_statement if_statement switch_statement labeled_statement case_statement
    binary_expression unary_expression call_expression parenthesized_expression conditional_expression cast_expression
    assignment_expression init_declarator comma_expression return_statement expression_statement subscript_expression
    array_declarator pointer_declarator else_clause compound_statement""".split()
)
_SMALLER: Final = frozenset({"type_qualifier", "storage_class_specifier", "attribute_specifier", "comment"})


@dataclass(frozen=True, slots=True)
class Reduced:
    """tries: how often the failure was looked for. whole: every way to leave more out was tried."""

    source: str
    tries: int
    whole: bool


def reduce(source: str, stays: Callable[[str], bool], tries: int = TRIES) -> Reduced:
    """stays: whether the failure is still there; it is not asked about `source` itself.

    A pass goes from the largest pieces to the smallest; another one follows as long as something went.
    """
    search = _Search(stays, tries, {source})
    now, before = source, ""
    while now != before and search.left():
        before, most = now, len(now) + 1
        while most > 0:
            now, most = search.step(now, most)
    return Reduced(_tidy(now, stays), len(search.seen) - 1, whole=now == before and search.left())


@dataclass(slots=True)
class _Search:
    stays: Callable[[str], bool]
    tries: int
    seen: set[str]

    def left(self) -> bool:
        return len(self.seen) <= self.tries

    def step(self, now: str, most: int) -> tuple[str, int]:
        """The source with one piece of at most this size less, and that size; 0 when there is no such piece."""
        for smaller in edits(now):
            size = len(now) - len(smaller)
            if size > most or smaller in self.seen:
                continue
            if not self.left():
                break
            self.seen.add(smaller)
            if self.stays(smaller):
                return smaller, size
        return now, 0


def _tidy(source: str, stays: Callable[[str], bool]) -> str:
    """Without empty lines and needless space, when the failure allows it."""
    lines = [line.rstrip() for line in source.splitlines() if line.strip()]
    tight = [re.sub(r"(?<=\()\s+|\s+(?=\))|(?<=\S)\s+(?=\s)", "", line) for line in lines]
    for some in (tight, lines):
        tidy = "\n".join(some) + "\n"
        if stays(tidy):
            return tidy
    return source


def edits(source: str) -> Iterator[str]:
    """Every source with one piece less, the one with most left out first."""
    raw = source.encode()
    cuts = {cut for node in walk(parse(source)) for cut in _cuts(node, raw)}
    for start, end, text in sorted(cuts, key=lambda cut: (len(cut[2]) - (cut[1] - cut[0]), cut)):
        yield (raw[:start] + text + raw[end:]).decode(errors="replace")


Cut = tuple[int, int, bytes]


def _cuts(node: Node, raw: bytes) -> Iterator[Cut]:
    """(start, end, text in its place) of what may be left out at this node."""
    if node.type in _LISTS:
        yield from _left_out(node.named_children, raw)
    if node.type == "compound_statement" and node.named_child_count:
        yield node.start_byte, node.end_byte, b"{}"
    if node.type in _SMALLER or node.is_error:
        yield node.start_byte, node.end_byte, b""
    if node.type in _PARTS:
        for part in node.named_children:
            if part.end_byte - part.start_byte < node.end_byte - node.start_byte:
                yield node.start_byte, node.end_byte, _as(node, part, raw)


def _left_out(children: list[Node], raw: bytes) -> Iterator[Cut]:
    """Halves, quarters, ... and single ones of a list, each with the comma behind it."""
    size = len(children)
    while size >= 1:
        for at in range(0, len(children), size):
            run = children[at : at + size]
            yield _with_comma(run[0].start_byte, run[-1].end_byte, raw)
        size //= 2


def _with_comma(start: int, end: int, raw: bytes) -> Cut:
    behind = end
    while behind < len(raw) and raw[behind : behind + 1].isspace():
        behind += 1
    if raw[behind : behind + 1] == b",":
        return start, behind + 1, b""
    before = start
    while before > 0 and raw[before - 1 : before].isspace():
        before -= 1
    if raw[before - 1 : before] == b"," and raw[behind : behind + 1] in (b")", b"}", b";"):
        return before - 1, end, b""
    return start, end, b""


def _as(node: Node, part: Node, raw: bytes) -> bytes:
    """A part in the place of the whole: an expression that stands for a statement gets its semicolon."""
    text = raw[part.start_byte : part.end_byte]
    statement = node.type.endswith("_statement") and not part.type.endswith(("_statement", "declaration"))
    return text + b";" if statement and node.type not in ("compound_statement", "case_statement") else text
