"""The grammar of OpenCL C for gate `source`: that of C, on the source with what only OpenCL has left out.

Stricter than in C: no pragma, no printf, no header but the harness's, no builtin of the compiler. The address space of
a parameter and `__kernel` are left to the compiler, which refuses a kernel without them.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from kernels.gates import source_c
from kernels.gates.c_rules import Refusal
from kernels.gates.c_text import joined
from kernels.gates.c_tokens import tokens
from kernels.gates.grammar_c import CGrammar
from kernels.gates.launched import launch_refusal
from kernels.levers.opencl_c.masked import masked
from kernels.packs.trees import parse
from kernels.targets.opencl.launches import BadLaunch, plan_of
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec

HEADER: Final = "kernelwright.h"
ATTRIBUTES: Final = frozenset({"__attribute__", "__attribute"})
_INCLUDE: Final = re.compile(r"^[ \t]*#[ \t]*include\b[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_FORBIDDEN: Final = re.compile(
    r"__builtin_\w+|_Pragma|v?s?n?printf|__pocl\w*|_pocl\w*|_cl_\w+|image\w+_t|sampler_t|pipe"
)


class OpenClGrammar:
    def examine(self, candidate: Candidate, spec: KernelSpec) -> Refusal | None:
        for name, text in candidate.files.items():
            found = next(_own(joined(text)), None)
            if found is not None:
                return Refusal(found.kind, f"{name} {found.reason}")
        seen = _seen(candidate)
        return CGrammar().words(seen, spec) or _launches(candidate, seen, spec)

    def findings(self, candidate: Candidate) -> list[str]:
        return CGrammar().findings(_seen(candidate))


def _seen(candidate: Candidate) -> Candidate:
    """As the grammar of C sees it."""
    return replace(candidate, files={name: masked(text) for name, text in candidate.files.items()})


def _own(source: str) -> Iterator[Refusal]:
    """What OpenCL C has and a candidate may not."""
    for found in _INCLUDE.finditer(source):
        if found[1].strip('<>"') != HEADER:
            line = source.count("\n", 0, found.start()) + 1
            yield Refusal("forbidden_include", f"line {line}: {found[0].strip()} is not allowed; allowed: {HEADER}")
    row = tokens(masked(source))
    for before, token in zip([None, *row], row, strict=False):
        where = f"line {token.line}: "
        if token.text == "pragma" and before is not None and before.text == "#":
            yield Refusal("forbidden_directive", f"{where}#pragma is not allowed; opencl_unroll_hint is an attribute")
        elif token.text in ATTRIBUTES:
            yield Refusal("forbidden_attribute", f"{where}this attribute is not allowed")
        elif _FORBIDDEN.fullmatch(token.text):
            yield Refusal("forbidden_name", f"{where}{token.text} is outside the allow-list of a kernel")


def _launches(candidate: Candidate, seen: Candidate, spec: KernelSpec) -> Refusal | None:
    """Whether every function that is launched takes what the runner hands it."""
    try:
        plan = plan_of(candidate, spec.sizes)
    except BadLaunch as bad:
        return Refusal("launch", f"{candidate.main} {bad}")
    root = parse(seen.source)
    return launch_refusal(candidate.main, plan, partial(source_c.entry_parameters, root), spec, "__global ")
