"""What an import says: lines for a person as it goes on, and its summary."""

from collections.abc import Iterator, Mapping
from typing import Any

from app.importing.reading import Asked
from app.importing.trying import Tried
from kernels.packs.foreign.draft import Draft
from kernels.values.kernel import KernelSpec
from kernels.values.verdict import GateReport


def about(draft: Draft) -> Iterator[str]:
    yield f"{draft.name} of {draft.origin}"
    for a in draft.arguments:
        extents = "x".join(map(str, a.shape)) or "number"
        made = f"= {a.value:g}" if a.value is not None else "" if a.role == "output" else " ".join(map(str, a.generate))
        yield f"  {a.name}: {a.dtype} {extents}, {a.role} {made}".rstrip()
    if draft.baseline.left_out:
        yield f"left out, the function does not need it: {', '.join(draft.baseline.left_out)}"


def about_values(draft: Draft, found: Tried, used: Mapping[str, float]) -> Iterator[str]:
    yield f"regimes: {', '.join(found.regimes)}"
    for regime, why in found.left_out.items():
        yield f"left out regime {regime}: {why}"
    for d in draft.outputs:
        yield f"tolerance of {d.argument.name}: {_tolerance(draft, found, d.argument.name, used)}"


def _tolerance(draft: Draft, found: Tried, name: str, used: Mapping[str, float]) -> str:
    one = found.tolerances[name]
    if one.nrmse is None:
        return "exact"
    output = next(d for d in draft.outputs if d.argument.name == name)
    return (
        f"nrmse {one.nrmse:g} by sums of {draft.sum_of(output)} terms in {output.argument.dtype}; "
        f"the baseline uses {100 * used[name]:.2g} % of it"
    )


def summary(
    asked: Asked, draft: Draft, spec: KernelSpec, found: Tried, used: Mapping[str, float], report: GateReport
) -> dict[str, Any]:
    return {
        "pack": str(asked.into), "kernel": draft.name, "reference": spec.judge,
        "regimes": list(found.regimes), "left_out_regimes": dict(found.left_out),
        "left_out": list(draft.baseline.left_out), "flags": list(draft.flags), "libraries": list(draft.libraries),
        "headers": list(draft.headers), "baseline_ns": report.facts["median_ns"],
        "tolerances": {d.argument.name: _tolerance(draft, found, d.argument.name, used) for d in draft.outputs},
    }  # fmt: skip
