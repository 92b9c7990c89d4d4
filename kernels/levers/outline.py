"""Moving code out of a function: what it captures, the struct that carries it, where the new functions go."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.levers.base import LeverDoesNotApply
from kernels.levers.loops import CountedLoop, written_names
from kernels.levers.scope import Variable, declared_inside, visible
from kernels.levers.syntax import Edit, identifiers, parse, parse_expression, span, walk, within

_NUMBERED: Final = re.compile(r"\b(?:kw|KW)_\w*?_(\d+)\b")
INTRINSICS: Final = "#if defined(__x86_64__)\n#include <immintrin.h>\n#endif\n"


@dataclass(frozen=True, slots=True)
class Capture:
    """The variables that outlined code needs from its function, by value; arrays as pointers."""

    variables: tuple[Variable, ...]

    @property
    def members(self) -> str:
        return "".join(f"    {v.as_member};\n" for v in self.variables)

    @property
    def names(self) -> list[str]:
        return [v.name for v in self.variables]

    @property
    def values(self) -> list[str]:
        return [v.held for v in self.variables]

    def unpacked(self, used: Iterable[str]) -> str:
        """Local copies of those that `used` names, sizes before the arrays that they measure."""
        names = set(used)
        return "".join(
            f"    {v.as_parameter} = {v.seen(f'kw->{v.name}')};\n" for v in self.variables if v.name in names
        )


def capture(
    function: Node, loop: CountedLoop, used: set[str], replaced: Iterable[Node] = (), summed: Collection[str] = ()
) -> Capture:
    """What the loop's body (less the replaced parts) captures of `used`. summed: names that are handled apart.

    Raises: LeverDoesNotApply when the body changes a variable of the function.
    """
    outside = visible(function, loop.node)
    outside.pop(loop.variable, None)
    inside = declared_inside(loop.body)
    changed = _changed(loop.body, list(replaced)) - inside - set(summed)
    lost = sorted(changed & set(outside))
    if lost:
        raise LeverDoesNotApply(f"the loop over {loop.variable} changes {', '.join(lost)}, which outlives an iteration")
    wanted = {n for n in used & set(outside) if n not in inside and n not in summed}
    wanted |= {n for name in {*wanted, *summed} for n in _sizes(outside.get(name)) & set(outside)}
    return Capture(tuple(sorted((outside[n] for n in wanted), key=lambda v: (not v.is_scalar, v.name))))


def _sizes(variable: Variable | None) -> set[str]:
    """Names in the extents of an array."""
    nodes = [parse_expression(d) for d in variable.dims[1:]] if variable is not None else []
    return {name for n in nodes if n is not None for name in identifiers(n)}


def _changed(body: Node, replaced: list[Node]) -> set[str]:
    return {name for n in walk(body) if not any(within(n, r) for r in replaced) for name in written_names(n)}


def names_used(body: Node, replaced: Iterable[Node] = ()) -> set[str]:
    """Identifiers of the body outside of the replaced parts."""
    gone = {i for r in replaced for i in _identifier_spans(r)}
    return {(n.text or b"").decode() for n in walk(body) if n.type == "identifier" and span(n) not in gone}


def _identifier_spans(node: Node) -> set[tuple[str, int, int]]:
    return {span(n) for n in walk(node) if n.type == "identifier"}


def fresh_number(source: str) -> int:
    """A number that no generated name of the source carries yet."""
    return 1 + max((int(m) for m in _NUMBERED.findall(source)), default=0)


def before_function(function: Node, text: str) -> Edit:
    """Inserts text before the function and the comments that stand directly above it."""
    at = function
    while (above := at.prev_sibling) is not None and above.type == "comment":
        if above.end_point[0] + 1 < at.start_point[0]:
            break
        at = above
    return Edit(at.start_byte, at.start_byte, text)


def with_intrinsics(source: str) -> list[Edit]:
    """Includes immintrin.h, on x86 only, after the last #include of the file's top level; nothing when it is there."""
    if "<immintrin.h>" in source:
        return []
    last = max((n.end_byte for n in parse(source).children if n.type == "preproc_include"), default=0)
    broken = last and source.encode()[last - 1 : last] != b"\n"
    return [Edit(last, last, ("\n" if broken else "") + INTRINSICS)]


__all__ = ["Capture", "before_function", "capture", "fresh_number", "identifiers", "names_used", "with_intrinsics"]
