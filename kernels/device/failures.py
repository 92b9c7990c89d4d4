"""Names what a runner died of, in the words of a correctness report."""

from typing import Final

from kernels.device.layout import OUTPUTS, Layout
from kernels.device.report import CHECK_KINDS
from kernels.sandbox.runner import RunnerFailed

_OTHER: Final = "crash"


def named(failure: RunnerFailed, layout: Layout) -> tuple[str, str]:
    """(kind, reason) of a failure. Inputs and weights are mapped read-only, so that a fault inside them is a write; a
    fault in the segment of the outputs hit a guard page."""
    if failure.kind == "crash" and failure.segment is not None:
        name = layout.nearest(failure.segment, failure.offset or 0)
        if failure.segment == OUTPUTS:
            return "out_of_bounds", f"access to the guard page next to output {name}: {failure.detail}"
        return "writes_inputs", f"write to the read-only argument {name}: {failure.detail}"
    return (failure.kind if failure.kind in CHECK_KINDS else _OTHER), failure.detail
