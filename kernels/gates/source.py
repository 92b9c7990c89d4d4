"""Gate `source`: reads as its language, has the contract's entry point, stays inside the allow-list, is new."""

from collections.abc import Mapping
from typing import Final, Protocol

from kernels.gates import c_rules
from kernels.gates.base import Subject, passed, refused, skipped
from kernels.gates.grammar_c import CGrammar
from kernels.gates.grammar_cuda import CudaGrammar
from kernels.gates.grammar_opencl import OpenClGrammar
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.verdict import GateName, GateReport


class Grammar(Protocol):
    """One language: its refusals and its evidence of folds."""

    def examine(self, candidate: Candidate, spec: KernelSpec) -> c_rules.Refusal | None: ...

    def findings(self, candidate: Candidate) -> list[str]: ...


GRAMMARS: Final[Mapping[str, Grammar]] = {"c": CGrammar(), "opencl": OpenClGrammar(), "cuda": CudaGrammar()}


class SourceGate:
    name: GateName = "source"

    async def examine(self, subject: Subject) -> GateReport:
        unchanged = self._unchanged(subject)
        if unchanged:
            return refused("source", "unchanged", unchanged)
        grammar = GRAMMARS.get(subject.candidate.language)
        if grammar is None:
            return skipped("source", f"no grammar for language {subject.candidate.language!r}")
        refusal = grammar.examine(subject.candidate, subject.spec)
        if refusal is not None:
            return refused("source", refusal.kind, refusal.reason)
        return passed("source", *grammar.findings(subject.candidate))

    @staticmethod
    def _unchanged(subject: Subject) -> str:
        if subject.exempt:
            return ""
        if subject.candidate.id == subject.head.id:
            return "unchanged: it is the head itself"
        if subject.refused_before:
            return f"this content was refused before, which is final: {subject.refused_before}"
        return ""
