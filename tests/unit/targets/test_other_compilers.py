"""Which compilers this target takes, how it sees that one is another, and that clang builds what gcc builds."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from kernels.packs.loader import baseline, load_pack
from kernels.targets.base import CompileFailed, TargetError, Watched
from kernels.targets.cpu_c.diagnose_clang import read_text
from kernels.targets.cpu_c.target import CpuC
from kernels.targets.cpu_c.toolchain import SEARCH
from kernels.targets.registry import get_target
from kernels.values.candidate import Candidate

SPEC = load_pack("axpy_gemv").kernel("gemv")


def first_of(*names: str) -> str:
    return next((name for name in names if shutil.which(name, path=SEARCH) is not None), "")


CLANG = first_of("clang", "clang-14", "clang-15", "clang-16")
OTHER_GCC = first_of("gcc-11", "gcc-10", "gcc-13", "gcc-14")
needs_clang = pytest.mark.skipif(not CLANG, reason="no clang is installed")
SAID = """\
In file included from kernel.c:1:
/tmp/w/kernel.c:3:5: error: use of undeclared identifier 'summ'; did you mean 'sum'? [-Wsomething]
/tmp/w/kernel.c:2:9: note: 'sum' declared here
/tmp/w/kernel.c:4:1: warning: non-void function does not return a value [-Wreturn-type]
1 warning and 1 error generated.
"""


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_a_compiler_of_another_kind_is_named_with_what_is_supported(tmp_path: Path) -> None:
    other = script(tmp_path / "tcc", "echo tcc version 0.9.27")
    with pytest.raises(TargetError, match=r"calls itself 'tcc version 0.9.27'. Supported are gcc .* and clang"):
        CpuC(tmp_path, compiler=other)
    with pytest.raises(TargetError, match=r"--version` ends with 1"):
        CpuC(tmp_path, compiler=script(tmp_path / "none", "exit 1"))
    with pytest.raises(TargetError, match="there is no program at this path"):
        CpuC(tmp_path, compiler=str(tmp_path / "nowhere"))
    with pytest.raises(TargetError, match="none in"):
        CpuC(tmp_path, compiler="gcc-0")


def test_a_compiler_is_watched_by_its_place_and_contents(target: CpuC, tmp_path: Path) -> None:
    link = tmp_path / "cc"
    link.symlink_to(target.fingerprint.compiler)
    watched = CpuC(tmp_path, compiler=str(link))
    assert isinstance(watched, Watched)
    assert watched.present() == watched.fingerprint == target.fingerprint
    link.unlink()
    with pytest.raises(TargetError, match="no program"):
        watched.present()
    script(link, f'exec {target.fingerprint.compiler} "$@"')
    other = watched.present()
    assert other.id != watched.fingerprint.id
    assert (other.compiler, other.compiler_version) == (str(link), watched.fingerprint.compiler_version)
    assert watched.present() == other
    link.unlink()
    link.symlink_to(target.fingerprint.compiler)
    assert watched.present() == watched.fingerprint


def test_a_file_that_was_only_touched_is_the_same_compiler(tmp_path: Path, target: CpuC) -> None:
    path = script(tmp_path / "cc", f'exec {target.fingerprint.compiler} "$@"')
    watched = CpuC(tmp_path, compiler=path)
    Path(path).touch()
    assert watched.present() == watched.fingerprint


@pytest.mark.skipif(not OTHER_GCC, reason="no second gcc is installed")
def test_another_gcc_is_another_toolchain(tmp_path: Path, target: CpuC) -> None:
    other = get_target("cpu-c", tmp_path, compiler=OTHER_GCC)
    assert other.fingerprint.id != target.fingerprint.id
    assert other.compile(baseline(SPEC), SPEC, tmp_path / "b").path.is_file()


@needs_clang
def test_clang_builds_kernels_and_the_runner(tmp_path: Path) -> None:
    clang = CpuC(tmp_path, compiler=CLANG)
    assert clang.runner_binary().is_file()
    built = clang.compile(baseline(SPEC), SPEC, tmp_path / "b")
    assert (built.path.is_file(), built.findings) == (True, ())
    assert clang.compile(clang.empty(SPEC), SPEC, tmp_path / "e").path.is_file()
    sanitized = clang.compile(baseline(SPEC), SPEC, tmp_path / "b", sanitize=True)
    assert "no AddressSanitizer" in sanitized.findings[0]


@needs_clang
def test_clang_s_diagnostics_are_read(tmp_path: Path) -> None:
    clang = CpuC(tmp_path, compiler=CLANG)
    good = clang.diagnose({"kernel.c": "int f(void) { return 1; }\n"}, "kernel.c", ())
    assert (good.ok, good.diagnostics) == (True, ())
    bad = clang.diagnose({"kernel.c": "int f(int sum) {\n  return summ;\n}\n"}, "kernel.c", ())
    assert (bad.ok, bad.broken) == (False, "")
    assert bad.root is not None
    assert "undeclared identifier 'summ'" in bad.root.message
    assert bad.root.places[0].line == 2


@needs_clang
def test_openmp_with_clang_is_refused_by_name(tmp_path: Path) -> None:
    clang = CpuC(tmp_path, compiler=CLANG)
    source = Candidate("gemv", baseline(SPEC).files, flags=("-fopenmp",))
    with pytest.raises(CompileFailed, match="OpenMP is supported with gcc only"):
        clang.compile(source, replace(SPEC, threads="openmp"), tmp_path / "b")


def test_lines_of_clang_become_diagnostics_with_their_notes() -> None:
    found = read_text(1, SAID)
    assert [(d.severity, d.message) for d in found.diagnostics] == [
        ("error", "use of undeclared identifier 'summ'; did you mean 'sum'?"),
        ("warning", "non-void function does not return a value"),
    ]  # fmt: skip
    assert found.diagnostics[0].notes == ("'sum' declared here",)
    assert [(p.line, p.column) for p in found.diagnostics[0].places] == [(3, 5), (2, 9)]
    assert (found.ok, found.broken) == (False, "")


def test_a_compiler_that_ends_without_a_word_says_nothing_of_the_source() -> None:
    assert read_text(1, "Killed\n").broken == "Killed"
    assert read_text(254, "").broken == "failed without a diagnostic"
    assert read_text(0, "").ok
