"""Two profiles of one kernel, span by span: loops that read the same large arrays belong together, whatever called.

One source may read in one loop what the other reads in two; then both of those stand against the one. Serial time that
reads none of them stands against serial time.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kernels.profiling.join import Line

if TYPE_CHECKING:
    from kernels.values.kernel import KernelSpec


@dataclass(frozen=True, slots=True)
class Change:
    """Spans of the head and of a candidate that do the same. head_ns, ns: of the call's time; None where there is none.

    reads: the large arrays that they share.
    """

    head: tuple[str, ...]
    candidate: tuple[str, ...]
    head_ns: float | None
    ns: float | None
    reads: tuple[str, ...] = ()

    @property
    def ratio(self) -> float | None:
        """Candidate over head: below 1 it shrank."""
        return self.ns / self.head_ns if self.ns is not None and self.head_ns is not None and self.head_ns > 0 else None

    def to_json(self) -> dict[str, Any]:
        return {
            "head": list(self.head), "candidate": list(self.candidate), "head_ns": self.head_ns, "ns": self.ns,
            "reads": list(self.reads), "ratio": self.ratio,
        }  # fmt: skip


def large_arrays(spec: "KernelSpec") -> frozenset[str]:
    """The weights; of a kernel without weights all arrays."""
    return frozenset(a.name for a in spec.weights or spec.arguments if a.shape)


def changes(head: Sequence[Line], candidate: Sequence[Line], large: Collection[str]) -> tuple[Change, ...]:
    """In the order of the head's spans; what reads nothing large comes last."""
    found = [_change(sides, reads) for sides, reads in _together(head, candidate, frozenset(large))]
    left = ([x for x in head if not large_of(x, large)], [x for x in candidate if not large_of(x, large)])
    for kind in ("parallel", "serial"):
        mine, its = ([x for x in side if x.kind == kind] for side in left)
        if mine or its:
            found.append(_change((mine, its), frozenset()))
    return tuple(found)


def large_of(line: Line, large: Collection[str]) -> frozenset[str]:
    return frozenset(line.touches) & frozenset(large)


Sides = tuple[list[Line], list[Line]]


def _together(
    head: Sequence[Line], candidate: Sequence[Line], large: frozenset[str]
) -> list[tuple[Sides, frozenset[str]]]:
    """Groups of lines that are connected by a large array which they share."""
    groups: list[tuple[Sides, frozenset[str]]] = []
    for side, lines in enumerate((head, candidate)):
        for line in lines:
            reads = large_of(line, large)
            if not reads:
                continue
            near = [g for g in groups if g[1] & reads]
            sides: Sides = ([x for g in near for x in g[0][0]], [x for g in near for x in g[0][1]])
            sides[side].append(line)
            at = groups.index(near[0]) if near else len(groups)
            groups = [g for g in groups if g not in near]
            groups.insert(at, (sides, reads.union(*(g[1] for g in near))))
    return groups


def _change(sides: Sides, reads: frozenset[str]) -> Change:
    head, candidate = sides
    return Change(
        tuple(x.label for x in head), tuple(x.label for x in candidate),
        sum(x.wall_ns for x in head) if head else None, sum(x.wall_ns for x in candidate) if candidate else None,
        tuple(sorted(reads)),
    )  # fmt: skip
