"""The file that a built CUDA candidate is: how it is called, in lines of text, then the cubin as ptxas wrote it.

`native/cu_program.c` reads it: a line for the counts, one for each argument (kind, writable, bytes, value), each
scratch buffer (bytes) and each launch (function, blocks, threads in a block, bytes of dynamic shared memory), then
`cubin BYTES` and the bytes. A kernel of several shapes has the lines of each, between `shape NAME BYTES` and the next;
`for_shape` makes of it what the runner reads.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kernels.targets.opencl.container import argument_line
from kernels.targets.opencl.launches import Plan
from kernels.values.kernel import KernelSpec

HEAD: Final = "kernelwright-cuda 1"
SHAPES: Final = b"kernelwright-cuda-shapes "

Case = tuple[KernelSpec, Plan]
"""A kernel at one of its shapes, and how it is called there."""


class BadContainer(Exception):
    """The file is none, or has no such shape."""


def packed(cases: Sequence[Case], cubin: bytes) -> bytes:
    """The whole file."""
    heads = [(spec.shape, "\n".join(calling(spec, plan)).encode() + b"\n") for spec, plan in cases]
    tail = f"cubin {len(cubin)}\n".encode() + cubin
    if len(heads) == 1:
        return heads[0][1] + tail
    parts = [f"shape {name} {len(head)}\n".encode() + head for name, head in heads]
    return SHAPES + f"{len(heads)}\n".encode() + b"".join(parts) + tail


def calling(spec: KernelSpec, plan: Plan) -> Iterator[str]:
    """How it is called, as lines."""
    yield f"{HEAD} {len(spec.arguments)} {len(plan.scratches)} {len(plan.launches)}"
    yield from (argument_line(argument) for argument in spec.arguments)
    yield from (f"scratch {one.nbytes}" for one in plan.scratches)
    for one in plan.launches:
        yield f"launch {one.function} {one.size // one.group} {one.group} {one.shared}"


def for_shape(raw: bytes, shape: str) -> bytes:
    """As the runner reads it, at this shape. Raises: BadContainer."""
    if not raw.startswith(SHAPES):
        return raw
    try:
        first, at, found = raw.index(b"\n"), raw.index(b"\n") + 1, b""
        for _ in range(int(raw[len(SHAPES) : first])):
            end = raw.index(b"\n", at)
            _, name, size = raw[at:end].split(b" ")
            at = end + 1 + int(size)
            found = raw[end + 1 : at] if name.decode() == shape else found
    except ValueError as error:
        raise BadContainer(f"its shapes cannot be read: {error}") from error
    if not found:
        raise BadContainer(f"it was not built for shape {shape!r}")
    return found + raw[at:]
