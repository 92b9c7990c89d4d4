"""A machine with every feature, and contexts on the shipped packs."""

import pytest

from kernels.values.machine import Machine

FEATURES = "avx2 fma f16c ssse3 avx512f avx512bw avx512vl avx512dq avx512vbmi avx512_bf16 avx512_vnni"


@pytest.fixture
def machine() -> Machine:
    return Machine("test", "x86_64", frozenset(FEATURES.split()), threads=2)
