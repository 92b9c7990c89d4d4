"""Whether every function that a source launches takes what the runner hands it: for languages with launches."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from kernels.gates import source_c
from kernels.gates.c_rules import Refusal
from kernels.targets.opencl.launches import Plan
from kernels.values.kernel import KernelSpec

Parameters = Callable[[str], Sequence[str] | None]
_WORD: Final = re.compile(r"\w+")
_ALIASES: Final = {
    "uchar": "uint8_t", "ushort": "uint16_t", "uint": "uint32_t", "ulong": "uint64_t", "char": "int8_t",
    "short": "int16_t", "int": "int32_t", "long": "int64_t", "kw_bf16": "uint16_t",
}  # fmt: skip


def launch_refusal(main: str, plan: Plan, parameters: Parameters, spec: KernelSpec, space: str = "") -> Refusal | None:
    """main: name of the file. parameters: of a function, as normalised types, None when it is not defined. space: what
    stands before the type of a buffer in this language."""
    if not any(one.function == spec.entry for one in plan.launches):
        return Refusal("no_entry", f"{main} does not launch {spec.entry}, the entry point of the contract")
    found = (_signature(one.function, parameters(one.function), plan, spec, space) for one in plan.launches)
    return next((bad for bad in found if bad is not None), None)


def _signature(function: str, have: Sequence[str] | None, plan: Plan, spec: KernelSpec, space: str) -> Refusal | None:
    if have is None:
        return Refusal("no_entry", f"{function} is launched and not defined")
    want = [named(source_c.parameter_type(a.c_parameter)) for a in spec.arguments]
    first, rest = [named(one) for one in have[: len(want)]], have[len(want) :]
    if first == want and len(rest) == len(plan.scratches) and all(one.endswith("*") for one in rest):
        return None
    more = "".join(f", {space}... *{one.name}" for one in plan.scratches)
    contract = ", ".join(a.c_parameter for a in spec.arguments)
    return Refusal("signature", f"{function}({', '.join(have)}) is not the contract's ({contract}{more})")


def named(kind: str) -> str:
    """One name for each type."""
    return _WORD.sub(lambda word: _ALIASES.get(word[0], word[0]), kind)
