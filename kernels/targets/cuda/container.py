"""The file that a built CUDA candidate is: how it is called, in lines of text, then the cubin as ptxas wrote it.

`native/cu_program.c` reads it: a line for the counts, one for each argument (kind, writable, bytes, value), each
scratch buffer (bytes) and each launch (function, blocks, threads in a block, bytes of dynamic shared memory), then
`cubin BYTES` and the bytes. Of several shapes: see `targets/shapes.py`.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kernels.targets import shapes
from kernels.targets.opencl.container import argument_line
from kernels.targets.opencl.launches import Case, Plan
from kernels.values.kernel import KernelSpec

HEAD: Final = "kernelwright-cuda 1"


def packed(cases: Sequence[Case], cubin: bytes) -> bytes:
    """The whole file."""
    return shapes.packed([(spec.shape, calling(spec, plan)) for spec, plan in cases], "cubin", cubin)


def calling(spec: KernelSpec, plan: Plan) -> Iterator[str]:
    """How it is called, as lines."""
    yield f"{HEAD} {len(spec.arguments)} {len(plan.scratches)} {len(plan.launches)}"
    yield from (argument_line(argument) for argument in spec.arguments)
    yield from (f"scratch {one.nbytes}" for one in plan.scratches)
    for one in plan.launches:
        yield f"launch {one.function} {one.size // one.group} {one.group} {one.shared}"
