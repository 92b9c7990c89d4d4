"""The file of a built candidate that is launched: at each of its kernel's shapes in another way, the program once.

A target writes a head, lines that say a call, and a tail, the program. For several shapes the file is
`kernelwright-shapes COUNT`, then for each a line `shape NAME BYTES` with its head behind it, then the tail. Runners
know no shapes: `for_shape` makes what they read.
"""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kernels.sandbox.runner import RunnerFailed
from kernels.values.kernel import KernelSpec

SHAPES: Final = b"kernelwright-shapes "


class BadContainer(Exception):
    """The file is none, or has no such shape."""


def packed(heads: Sequence[tuple[str, Iterable[str]]], kind: str, program: bytes) -> bytes:
    """The whole file. heads: name of a shape and its lines, one a shape. kind: what the program is called."""
    raw = [(name, "".join(f"{line}\n" for line in lines).encode()) for name, lines in heads]
    tail = f"{kind} {len(program)}\n".encode() + program
    if len(raw) == 1:
        return raw[0][1] + tail
    parts = [f"shape {name} {len(head)}\n".encode() + head for name, head in raw]
    return SHAPES + f"{len(raw)}\n".encode() + b"".join(parts) + tail


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


@contextmanager
def laid_out(artefact: Path, spec: KernelSpec) -> Generator[Path]:
    """A file of it for the runner, at the shape of `spec`; gone at the end. Raises: RunnerFailed."""
    with TemporaryDirectory(prefix="kw-shape-") as folder:
        file = Path(folder) / artefact.name
        try:
            file.write_bytes(for_shape(artefact.read_bytes(), spec.shape))
        except (OSError, BadContainer) as error:
            raise RunnerFailed("load", f"{artefact.name}: {error}") from error
        yield file
