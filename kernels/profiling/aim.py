"""What a lever aimed at: the large arrays that are read by loops whose code it changed. By syntax, never by name."""

import re
from collections.abc import Iterator
from typing import Final

from kernels.levers.syntax import identifiers, text_of
from kernels.levers.unit import Unit, unit_of
from kernels.profiling.against import large_arrays
from kernels.profiling.flow_values import Flow
from kernels.profiling.planned import flow_in
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec

_NUMBERED: Final = re.compile(r"\b((?:kw|KW|nest|loop)\w*?)_\d+\b")


def aimed_at(candidate: Candidate, base: Candidate, spec: KernelSpec) -> frozenset[str]:
    """Empty where no loop was changed or nothing can be said. base: what the candidate was made from."""
    mine, its = flow_in(candidate, spec), flow_in(base, spec)
    if mine is None or its is None:
        return frozenset()
    known = {code for code, _ in _loops(base, its, spec)}
    changed = [reads for code, reads in _loops(candidate, mine, spec) if code not in known]
    return frozenset[str]().union(*changed)


def _loops(candidate: Candidate, flow: Flow, spec: KernelSpec) -> Iterator[tuple[str, frozenset[str]]]:
    """(code, large arrays) of each parallel loop; the code goes with the arrays that it runs on."""
    unit, large = unit_of(candidate.source), large_arrays(spec)
    for loop in flow.loops:
        reads = loop.touched.both & large
        yield f"{sorted(reads)} {' '.join(candidate.flags)}\n{_code(unit, loop.body)}", reads


def _code(unit: Unit, body: str) -> str:
    """The text of a function, of all that it calls, and of the macros that these use; generated names without their
    numbers."""
    done: dict[str, str] = {}
    macros: dict[str, str] = {}
    todo = [body]
    while todo:
        name = todo.pop()
        function = unit.functions.get(name)
        if function is None or name in done:
            continue
        done[name] = text_of(function)
        names = identifiers(function)
        todo += sorted(names & unit.functions.keys())
        macros |= {n: text_of(unit.macros[n]) for n in names & unit.macros.keys()}
    parts = [*done.values(), *(f"{n} {text}" for n, text in macros.items())]
    return "\n".join(sorted(_NUMBERED.sub(r"\1", part) for part in parts))


def words(reads: frozenset[str]) -> str:
    """For a reader: "the loops over a, b"."""
    return f"the loops over {', '.join(sorted(reads))}"
