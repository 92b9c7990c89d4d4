"""The file that a built candidate is: how it is called, in lines of text, then the program as OpenCL wrote it.

`native/cl_program.c` reads it: a line for the counts, one for each argument (kind, writable, bytes, value), each
scratch buffer (bytes) and each launch (function, work-items, group), then `binary BYTES` and the bytes. Of several
shapes: see `targets/shapes.py`.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from kernels.targets import shapes
from kernels.targets.opencl.launches import Case, Plan
from kernels.values.kernel import Argument, KernelSpec

BUFFER, SCALAR, CONSTANT = 0, 1, 2
_HEAD: Final = "kernelwright-opencl 1"


def packed(cases: Sequence[Case], binary: bytes) -> bytes:
    """The whole file."""
    return shapes.packed([(spec.shape, calling(spec, plan)) for spec, plan in cases], "binary", binary)


def calling(spec: KernelSpec, plan: Plan) -> Iterator[str]:
    """How it is called, as lines."""
    yield f"{_HEAD} {len(spec.arguments)} {len(plan.scratches)} {len(plan.launches)}"
    yield from (argument_line(argument) for argument in spec.arguments)
    yield from (f"scratch {one.nbytes}" for one in plan.scratches)
    yield from (f"launch {one.function} {one.size} {one.group}" for one in plan.launches)


def argument_line(argument: Argument) -> str:
    """Kind, writable, bytes, and the bits of a constant."""
    storage = argument.format.storage
    if argument.role == "constant":
        raw = np.array([argument.value or 0]).astype(storage).tobytes()
        return f"argument {CONSTANT} 0 {len(raw)} {int.from_bytes(raw, 'little'):x}"
    kind = BUFFER if argument.shape else SCALAR
    return f"argument {kind} {int(argument.writable)} {argument.nbytes} 0"
