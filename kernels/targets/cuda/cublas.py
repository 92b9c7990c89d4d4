"""Where NVIDIA's own GEMMs are, cuBLAS: the number to beat for a product of matrices.

A candidate has no host code and cannot call it; what would time it is a program of the harness, which is not written.
"""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

NAME: Final = "libcublas.so*"
FOLDERS: Final = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64")
LOST: Final = "no number of NVIDIA's GEMM to compare with; where it is here, nothing calls it yet"


def place(root: Path) -> str:
    """root: of the toolkit. The library's path, "" where it is not."""
    found = (path for folder in _folders(root) for path in sorted(folder.glob(NAME)))
    return next((str(path) for path in found), "")


def _folders(root: Path) -> Iterator[Path]:
    yield from (root / "lib64", root / "lib")
    package = find_spec("nvidia")
    places = package.submodule_search_locations if package is not None else None
    for one in places or ():
        yield from sorted(Path(one).glob("*/lib"))
    yield from (Path(folder) for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder)
    yield from map(Path, FOLDERS)
