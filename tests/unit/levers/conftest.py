"""A machine with every feature, and contexts on the shipped packs."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernels.values.machine import Machine

FEATURES = "avx2 fma f16c ssse3 avx512f avx512bw avx512vl avx512dq avx512vbmi avx512_bf16 avx512_vnni"


@pytest.fixture
def machine() -> Machine:
    return Machine("test", "x86_64", frozenset(FEATURES.split()), threads=2)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder of its own for compiled kernels, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="levers") as name:
        yield Path(name)
