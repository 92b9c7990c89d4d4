"""Compiles baselines with gcc and calls them through ctypes."""

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kernels.values.kernel import KernelSpec

INCLUDE = Path(__file__).parents[3] / "kernels/targets/cpu_c/include"
SCALARS: dict[str, Any] = {
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
    "i32": ctypes.c_int32,
    "bf16": ctypes.c_uint16,
}
Arrays = Mapping[str, NDArray[Any]]
Call = Callable[[KernelSpec, str, Arrays], dict[str, NDArray[Any]]]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Sequence[str]], ctypes.CDLL]:
    """Source and flags to a loaded library."""
    compiler = shutil.which("gcc")
    if compiler is None:
        raise pytest.skip.Exception("gcc is not installed")

    def compile_(source: str, flags: Sequence[str] = ()) -> ctypes.CDLL:
        folder = tmp_path_factory.mktemp("pack")
        (folder / "a.c").write_text(source)
        made = folder / "a.so"
        base = ["-std=gnu11", "-O3", "-march=native", "-fPIC", "-shared", f"-I{INCLUDE}"]
        subprocess.run([compiler, *base, *flags, folder / "a.c", "-o", made, "-lm"], check=True)
        return ctypes.CDLL(str(made))

    return compile_


@pytest.fixture(scope="session")
def call(build: Callable[[str, Sequence[str]], ctypes.CDLL]) -> Call:
    """Run a kernel's source on stored arrays; outputs start poisoned, inouts as copies."""
    loaded: dict[str, ctypes.CDLL] = {}

    def run(spec: KernelSpec, source: str, arrays: Arrays) -> dict[str, NDArray[Any]]:
        if source not in loaded:
            loaded[source] = build(source, ())
        outputs = {a.name: _start(arrays.get(a.name), a.storage_shape, a.format.storage) for a in _writable(spec)}
        passed: list[Any] = []
        for argument in spec.arguments:
            array = outputs.get(argument.name, arrays.get(argument.name))
            assert array is not None
            if argument.shape:
                passed.append(ctypes.c_void_p(array.ctypes.data))
            else:
                passed.append(SCALARS[argument.dtype](array.item()))
        getattr(loaded[source], spec.entry)(*passed)
        return outputs

    return run


def _writable(spec: KernelSpec) -> list[Any]:
    return [a for a in spec.arguments if a.writable]


def _start(before: NDArray[Any] | None, shape: tuple[int, ...], dtype: np.dtype) -> NDArray[Any]:
    if before is not None:
        return before.copy()
    return np.full(int(np.prod(shape)) * dtype.itemsize, 0xFF, dtype=np.uint8).view(dtype).reshape(shape)
