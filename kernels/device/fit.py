"""How many contenders of one kernel the memory of this machine holds at once."""

from typing import Final

from kernels.device.arena import memory_available
from kernels.device.layout import Layout
from kernels.device.station import SPARE_BYTES
from kernels.values.kernel import KernelSpec

PROCESS_BYTES: Final = 4 << 20  # of a runner with its launcher, beside the memory of its calls
SHARE: Final = 0.5  # of what can be had: the weights are decoded for the check meanwhile


def contenders_that_fit(spec: KernelSpec) -> int:
    """Beside those that are loaded, with inputs and outputs of their own; the weights are shared."""
    layouts = [Layout(case, 1) for case in spec.cases]
    each = sum(layout.inputs_size + layout.outputs_size + PROCESS_BYTES for layout in layouts)
    return int(SHARE * max(memory_available() - SPARE_BYTES, 0) / each)
