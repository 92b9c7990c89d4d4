"""From sources to artefacts: what is built, what is refused, and what the worker is told."""

import ctypes
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from kernels.targets.base import CompileFailed
from kernels.targets.cpu_c import toolchain
from kernels.targets.cpu_c.target import CpuC
from tests.unit.targets.kit import HONEST, candidate, spec_of


def test_a_build_says_what_it_is(target: CpuC, tmp_path: Path) -> None:
    built = target.compile(candidate(), spec_of(), tmp_path)
    assert built.path.read_bytes()[:4] == b"\x7fELF"
    assert len(built.machine_code_sha256) == 64
    assert built.seconds > 0
    assert built.findings == ()


def test_an_artefact_computes_through_its_entry(target: CpuC, tmp_path: Path) -> None:
    built = target.compile(candidate("y[0] = scale + x[1];"), spec_of(), tmp_path)
    x, y = (ctypes.c_float * 64)(0, 3), (ctypes.c_float * 8)()
    scale = ctypes.c_float(2.0)
    pointers = [ctypes.addressof(v) for v in (x, x, scale, y)]
    ctypes.CDLL(str(built.path)).kw_entry((ctypes.c_void_p * 4)(*pointers))
    assert y[0] == 5.0


def test_the_machine_code_counts_not_the_spelling(target: CpuC, tmp_path: Path) -> None:
    spec = spec_of()
    plain = target.compile(candidate(), spec, tmp_path / "a").machine_code_sha256
    spelled = target.compile(candidate(f"/* other words */ {HONEST.replace('s ', 'sum ')}"), spec, tmp_path / "b")
    other = target.compile(candidate(HONEST.replace("* scale", "* scale + 1")), spec, tmp_path / "c")
    constant = target.compile(candidate(HONEST.replace("* scale", "* scale + 2.5f")), spec, tmp_path / "d")
    another = target.compile(candidate(HONEST.replace("* scale", "* scale + 3.5f")), spec, tmp_path / "e")
    assert spelled.machine_code_sha256 == plain
    assert len({plain, other.machine_code_sha256, constant.machine_code_sha256, another.machine_code_sha256}) == 4


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("int oops(", "error"),
        ("y[0] = nowhere;", "nowhere"),
        ("undeclared_function_of_nobody(3);", "undeclared_function_of_nobody"),
        ('_Pragma("GCC error \\"mine\\"")', "mine"),
    ],
)
def test_diagnostics_lead_with_the_cause(target: CpuC, tmp_path: Path, body: str, words: str) -> None:
    with pytest.raises(CompileFailed) as caught:
        target.compile(
            candidate(body, '#pragma GCC diagnostic error "-Wimplicit-function-declaration"'), spec_of(), tmp_path
        )
    assert caught.value.kind == "compile_error"
    assert words in caught.value.root_cause
    assert words in caught.value.diagnostics


def test_endless_diagnostics_are_cut(target: CpuC, tmp_path: Path) -> None:
    noise = "\n".join(f'#warning "{i} {"x" * 100}"' for i in range(3000))
    with pytest.raises(CompileFailed) as caught:
        target.compile(candidate("oops(", noise), spec_of(), tmp_path)
    assert len(caught.value.diagnostics) < 10_000
    assert "left out" in caught.value.diagnostics


def test_an_intrinsic_without_its_flag_names_the_line(target: CpuC, tmp_path: Path) -> None:
    if not target.machine.has("avx512f"):
        raise pytest.skip.Exception("the rule needs AVX-512 headers")
    body = "_mm512_storeu_ps(y, _mm512_set1_ps(x[0]));"
    with pytest.raises(CompileFailed, match="target specific option mismatch"):
        target.compile(candidate(body, "#include <immintrin.h>", flags=("-mno-avx512f",)), spec_of(), tmp_path)


def test_a_compiler_that_never_ends_is_stopped(target: CpuC, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "TIMEOUT_S", 0.001)
    with pytest.raises(CompileFailed) as caught:
        target.compile(candidate(), spec_of(), tmp_path)
    assert caught.value.kind == "compile_timeout"


@pytest.mark.parametrize("name", ["kernelwright.h", "trampoline.c", "candidate.so", "notes.txt", "../x.c", "a/b.h"])
def test_a_bundle_cannot_bring_the_harness_files(target: CpuC, tmp_path: Path, name: str) -> None:
    with pytest.raises(CompileFailed, match="not allowed"):
        target.compile(candidate(files={name: ""}), spec_of(), tmp_path)


def test_a_bundle_may_have_headers_of_its_own(target: CpuC, tmp_path: Path) -> None:
    target.compile(candidate(HONEST, '#include "mine.h"', files={"mine.h": "typedef int mine;"}), spec_of(), tmp_path)


@pytest.mark.parametrize(
    "prelude", ['#include "{path}"', '__asm__(".section .rodata\\n.incbin \\"{path}\\"\\n.text");']
)
def test_the_compiler_cannot_read_other_files(target: CpuC, tmp_path: Path, prelude: str) -> None:
    if not target._compiler.tool:
        raise pytest.skip.Exception("bubblewrap does not work here")
    secret = tmp_path / "secret"
    secret.write_text("int secret_value;")
    with pytest.raises(CompileFailed):
        target.compile(candidate(HONEST, prelude.format(path=secret)), spec_of(), tmp_path / "work")


def test_builds_of_one_folder_do_not_disturb_each_other(target: CpuC, tmp_path: Path) -> None:
    timed = target.compile(candidate(), spec_of(), tmp_path)
    before = timed.path.read_bytes()
    marked = target.compile(candidate(f"KW_SPAN_BEGIN(a); {HONEST} KW_SPAN_END(a);"), spec_of(), tmp_path, profile=True)
    checked = target.compile(candidate(), spec_of(), tmp_path, sanitize=True)
    assert len({timed.path, marked.path, checked.path}) == 3
    assert timed.path.read_bytes() == before
    assert b"kw_span" in marked.path.read_bytes()


def test_fast_math_does_not_flush_denormals_of_the_process(target: CpuC, tmp_path: Path) -> None:
    built = target.compile(candidate(flags=("-ffast-math", "-Ofast")), spec_of(), tmp_path)
    ctypes.CDLL(str(built.path))
    tiny = struct.unpack("<f", struct.pack("<I", 1))[0]
    assert tiny / 2.0 * 2.0 == tiny
    assert float.fromhex("0x1p-1074") * 1.0 != 0.0


def test_openmp_needs_the_contract(target: CpuC, tmp_path: Path) -> None:
    body = f'_Pragma("omp parallel") {{ }} {HONEST}'
    with pytest.raises(CompileFailed) as caught:
        target.compile(candidate(body, flags=("-fopenmp",)), spec_of(), tmp_path)
    assert caught.value.kind == "flag"
    target.compile(candidate(body, flags=("-fopenmp",)), spec_of("openmp"), tmp_path)


@pytest.mark.parametrize("confined", [True, False])
def test_the_limits_hold_from_the_first_instruction(tmp_path: Path, confined: bool) -> None:
    found = toolchain.find_compiler()
    shell = replace(found, path=Path("/bin/sh").resolve(), tool=found.tool if confined else "")
    told = shell.run(["-c", "ulimit -v; ulimit -t; ulimit -f; ulimit -c; ulimit -H -v"], tmp_path).split()
    assert [int(word) for word in told] == [4 << 20, 60, 128 << 10, 0, 4 << 20]
