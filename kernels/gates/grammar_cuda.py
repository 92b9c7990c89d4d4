"""The grammar of CUDA C++ for gate `source`: the rules of C by its tokens, on the source without
what only CUDA has.

The tree of C follows little of C++; where it does not, tokens are looked at, strictly. Host code, launches and calls of
CUDA's libraries have no place: the runner launches. Headers are those for device code. Inline PTX: `inline_ptx.py`.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from kernels.gates import source_c
from kernels.gates.c_rules import Refusal, text_refusal
from kernels.gates.c_text import joined
from kernels.gates.c_tokens import parameters, tokens
from kernels.gates.grammar_c import CGrammar
from kernels.gates.inline_ptx import without
from kernels.gates.launched import launch_refusal
from kernels.targets.cuda.language import masked
from kernels.targets.cuda.launches import cuda_plan
from kernels.targets.opencl.launches import BadLaunch
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec

HEADERS: Final = (
    "kernelwright.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuda_fp6.h", "cuda_fp4.h", "mma.h",
    "cuda_pipeline.h", "cooperative_groups.h", "cooperative_groups/reduce.h", "cooperative_groups/scan.h",
    "cooperative_groups/memcpy_async.h", "cuda/barrier", "cuda/pipeline", "cuda/ptx", "cuda/std/cstdint",
    "cuda/std/type_traits", "cuda/std/utility", "cuda/std/limits", "cuda/std/array",
)  # fmt: skip
_NAMES: Final = re.compile(
    r"cuda[A-Z]\w*|cu[A-Z]\w*|nvrtc\w*|nvtx\w*|__host__|__managed__|__cudart\w*|clock(64)?|__?nv_\w*clock\w*"
    r"|__globaltimer|printf|assert|__assertfail|__trap|__brkpt|__prof_trigger|malloc|free|__pm\d+"
    r"|texture|surface|tex[123]D\w*|surf[123]D\w*|this_multi_grid|main"
)
_LAUNCH: Final = "<<<"
_IMPORTS: Final = frozenset({"import", "module", "export"})


class CudaGrammar:
    def examine(self, candidate: Candidate, spec: KernelSpec) -> Refusal | None:
        seen: dict[str, str] = {}
        for name, text in candidate.files.items():
            whole = joined(text)
            plain, in_ptx = without(whole)
            found = text_refusal(whole) or in_ptx or next(_own(plain), None)
            if found is not None:
                return Refusal(found.kind, f"{name} {found.reason}")
            seen[name] = masked(plain)
        bundle = replace(candidate, files=seen)
        wider = replace(spec, headers=(*spec.headers, *HEADERS))
        return CGrammar().words(bundle, wider) or _launches(candidate, bundle, spec)

    def findings(self, candidate: Candidate) -> list[str]:
        seen = {name: masked(without(joined(text))[0]) for name, text in candidate.files.items()}
        return CGrammar().findings(replace(candidate, files=seen))


def _own(source: str) -> Iterator[Refusal]:
    """What CUDA C++ has and a candidate may not."""
    for token in tokens(source):
        where = f"line {token.line}: "
        if _NAMES.fullmatch(token.text):
            yield Refusal("forbidden_name", f"{where}{token.text} is outside the allow-list of a kernel")
        elif token.text in _IMPORTS and token.first:
            yield Refusal("forbidden_directive", f"{where}{token.text} brings in what is not read here")
    if (at := source.find(_LAUNCH)) >= 0:
        line = source.count("\n", 0, at) + 1
        yield Refusal(
            "host_code", f"line {line}: {_LAUNCH} launches from host code; say KW_LAUNCH(function, threads, block)"
        )


def _launches(candidate: Candidate, seen: Candidate, spec: KernelSpec) -> Refusal | None:
    try:
        plan = cuda_plan(candidate, spec.sizes)
    except BadLaunch as bad:
        return Refusal("launch", f"{candidate.main} {bad}")
    return launch_refusal(candidate.main, plan, partial(_parameters, seen.source), spec)


def _parameters(source: str, function: str) -> list[str] | None:
    """Of a function of the source, by its tokens."""
    texts = parameters(source, function)
    return None if texts is None else [source_c.parameter_type(one) for one in texts]
