"""What a pack brings along: constants, flags, headers, libraries; and its baseline built as it is written."""

import ctypes
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from kernels.targets.base import CompileFailed
from kernels.targets.cpu_c.target import CpuC
from kernels.values.candidate import Candidate
from kernels.values.kernel import Argument, KernelSpec
from tests.unit.targets.kit import candidate, spec_of

FUSED = "for (int i = 0; i < 8; i++) y[i] = W[i] * x[i] + scale;"


def code_of(path: Path) -> str:
    return subprocess.run(["objdump", "-d", str(path)], capture_output=True, text=True, check=True).stdout


def with_headers(tmp_path: Path) -> KernelSpec:
    (tmp_path / "pack" / "include" / "deep").mkdir(parents=True)
    (tmp_path / "pack" / "include" / "deep" / "own.h").write_text("#define FACTOR 3\n")
    return replace(spec_of(), folder=tmp_path / "pack", headers=("deep/own.h",), flags=("-DTERM=4",))


def test_constants_stand_in_the_entry_and_need_no_memory(target: CpuC, tmp_path: Path) -> None:
    size = Argument("n", "i64", (), "constant", value=5_000_000_000)
    half = Argument("h", "f32", (), "constant", value=0.375)
    base = spec_of()
    spec = replace(base, arguments=(size, *base.arguments, half))
    source = f'#include "kernelwright.h"\n{spec.prototype} {{ y[0] = n == 5000000000 ? h : 0; }}\n'
    built = target.compile(Candidate("mv", {"kernel.c": source}), spec, tmp_path)
    y, spare = (ctypes.c_float * 8)(), (ctypes.c_float * 64)()
    pointers = [ctypes.addressof(v) for v in (spare, spare, spare, spare, y, spare)]
    ctypes.CDLL(str(built.path)).kw_entry((ctypes.c_void_p * 6)(*pointers))
    assert y[0] == 0.375


def test_flags_and_headers_of_the_pack_reach_every_candidate(target: CpuC, tmp_path: Path) -> None:
    spec = with_headers(tmp_path)
    built = target.compile(candidate("y[0] = FACTOR * TERM;", '#include "deep/own.h"'), spec, tmp_path / "work")
    y, spare = (ctypes.c_float * 8)(), (ctypes.c_float * 64)()
    pointers = [ctypes.addressof(v) for v in (spare, spare, spare, y)]
    ctypes.CDLL(str(built.path)).kw_entry((ctypes.c_void_p * 4)(*pointers))
    assert y[0] == 12.0


def test_a_flag_of_the_pack_that_is_not_allowed_is_named(target: CpuC, tmp_path: Path) -> None:
    with pytest.raises(CompileFailed, match="'-fplugin=x' is not allowed"):
        target.compile(candidate(), replace(spec_of(), flags=("-fplugin=x",)), tmp_path)


def test_a_strict_build_optimises_nothing_whatever_the_flags_say(target: CpuC, tmp_path: Path) -> None:
    spec = replace(spec_of(), flags=("-ffast-math", "-O3", "-DSPARE", "-mavx2"))
    fast, strict = (
        target.compile(candidate(FUSED), spec, tmp_path),
        target.compile_strict(candidate(FUSED), spec, tmp_path),
    )
    assert fast.path != strict.path
    assert fast.machine_code_sha256 != strict.machine_code_sha256
    assert "vfmadd" not in code_of(strict.path)
    assert "ymm" not in code_of(strict.path)


@pytest.mark.parametrize(
    ("name", "said"), [("no_such_library", "is not here: .* finds no libno_such_library.so"), ("c", "is not allowed")]
)
def test_a_library_that_cannot_be_had_is_named(target: CpuC, tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(CompileFailed, match=said):
        target.compile(candidate(), replace(spec_of(), libraries=(name,)), tmp_path)
